"""Each operation of an OpenAPI description becomes a tool that our schemas can check."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.errors import UserError
from voicebench.scoring.schema import check_call, compiled_parameters
from voicebench.tasks.drafting.openapi import openapi_tools
from voicebench.types import Tool, ToolCall


def document(paths: dict[str, Any], schemas: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "paths": paths, "components": {"schemas": schemas or {}, **more}}


def body(schema: Any, kind: str = "application/json", **more: Any) -> dict[str, Any]:
    return {"post": {"requestBody": {"content": {kind: {"schema": schema}}, **more}}}


def one(found: dict[str, Any]) -> Tool:
    [tool], _ = openapi_tools(found)
    return tool


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


ADDRESS = {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]}


def test_path_query_and_body_become_one_schema() -> None:
    tool = one(document({
        "/shops/{shop}/orders": {
            "parameters": [{"name": "shop", "in": "path", "required": True, "schema": {"type": "string"}}],
            "post": {
                "operationId": "placeOrder", "summary": "Order", "description": "Order something to eat.",
                "parameters": [
                    {"name": "express", "in": "query", "description": "Sooner.",
                     "schema": {"type": "boolean"}},
                ],
                "requestBody": {"content": {"application/json": {"schema": {
                    "type": "object", "required": ["dish"],
                    "properties": {"dish": {"type": "string"}, "to": ref("Address")},
                }}}},
            },
        },
    }, {"Address": ADDRESS}))  # fmt: skip
    assert (tool.name, tool.description) == ("placeOrder", "Order. Order something to eat.")
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "shop": {"type": "string"}, "express": {"type": "boolean", "description": "Sooner."},
            "dish": {"type": "string"}, "to": ADDRESS,
        },
        "required": ["shop", "dish"],
    }  # fmt: skip


def test_an_operation_without_an_id_is_named_by_method_and_path() -> None:
    found = document({"/users/{id}/cards": {"get": {}}, "/": {"delete": {}}})
    assert [tool.name for tool in openapi_tools(found)[0]] == ["get_users_by_id_cards", "delete"]


def test_names_keep_to_what_chat_apis_allow_and_stay_apart() -> None:
    found = document(
        {"/a": {"get": {"operationId": "find café!"}}, "/b": {"get": {"operationId": "find caf"}}}
    )
    tools, notes = openapi_tools(found)
    assert [tool.name for tool in tools] == ["find_caf", "find_caf_2"]
    assert notes == ["GET /b: its name stands twice; this one is find_caf_2"]


def test_an_operations_own_parameter_goes_before_its_paths() -> None:
    shared = {"name": "n", "in": "query", "schema": {"type": "string"}}
    own = {"name": "n", "in": "query", "schema": {"type": "integer"}}
    tool = one(document({"/a": {"parameters": [shared], "get": {"parameters": [own]}}}))
    assert tool.parameters["properties"] == {"n": {"type": "integer"}}


def test_deprecated_operations_and_headers_are_left_out_and_said() -> None:
    key = {"name": "X-Key", "in": "header", "required": True, "schema": {"type": "string"}}
    old = {"name": "old", "in": "query", "deprecated": True, "schema": {}}
    found = document({"/a": {"get": {"parameters": [key, old]}, "put": {"deprecated": True}}})
    tools, notes = openapi_tools(found)
    assert [tool.parameters for tool in tools] == [{"type": "object", "properties": {}}]
    assert notes == [
        "GET /a: the header parameter 'X-Key' is left out; the calling program sets it",
        "PUT /a is deprecated and left out",
    ]


def test_a_schema_that_contains_itself_becomes_a_definition() -> None:
    node = {"type": "object", "properties": {"name": {"type": "string"}, "kids": {
        "type": "array", "items": ref("Node")}}}  # fmt: skip
    parameter = {"name": "n", "in": "query", "schema": ref("Node")}
    tool = one(document({"/t": {"get": {"parameters": [parameter]}}}, {"Node": node}))
    assert tool.parameters["properties"] == {"n": {"$ref": "#/$defs/Node"}}
    assert tool.parameters["$defs"]["Node"]["properties"]["kids"]["items"] == {"$ref": "#/$defs/Node"}
    deep = {"n": {"name": "a", "kids": [{"name": "b", "kids": [{"name": 3}]}]}}
    [reason] = check_call(ToolCall(name=tool.name, arguments=deep), [tool])
    assert reason.verdict == "type"


def test_two_schemas_that_contain_each_other_are_definitions() -> None:
    schemas = {
        "A": {"type": "object", "properties": {"b": ref("B")}},
        "B": {"type": "object", "properties": {"a": ref("A"), "x": {"type": "integer"}}},
    }
    tool = one(document({"/a": body(ref("A"))}, schemas))
    call = ToolCall(name=tool.name, arguments={"b": {"a": {"b": {"x": "no"}}}})
    assert [reason.verdict for reason in check_call(call, [tool])] == ["type"]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (ref("Loop"), "leads back to itself"),
        (ref("Missing"), "leads to nothing"),
        ({"$ref": "common.yaml#/Money"}, "leads out of the file"),
        ({"type": "object", "properties": {"x": {"$ref": "https://x.example/s.json"}}}, "out of the file"),
    ],
)
def test_an_operation_whose_references_lead_nowhere_is_left_out_and_said(schema: Any, said: str) -> None:
    schemas = {"Loop": ref("Pool"), "Pool": ref("Loop")}
    found = document({"/bad": body(schema), "/good": {"get": {}}}, schemas)
    tools, [note] = openapi_tools(found)
    assert [tool.name for tool in tools] == ["get_good"]
    assert note.startswith("POST /bad is left out: ") and said in note


def test_a_parameter_that_refers_to_itself_leaves_its_operation_out() -> None:
    loop = {"$ref": "#/components/parameters/P"}
    tools, [note] = openapi_tools(document({"/a": {"get": {"parameters": [loop]}}}, parameters={"P": loop}))
    assert tools == [] and "leads back to itself" in note


def test_schemas_that_refer_ever_deeper_stay_small() -> None:
    schemas: dict[str, Any] = {"S0": {"type": "object", "properties": {"x": {"type": "string"}}}}
    for n in range(1, 40):
        schemas[f"S{n}"] = {"type": "object", "properties": {k: ref(f"S{n - 1}") for k in "abcdefgh"}}
    tool = one(document({"/a": body(ref("S39"))}, schemas))
    assert len(str(tool.parameters)) < 100_000
    compiled_parameters(tool)


def test_all_of_plain_objects_is_one_object() -> None:
    more = {"type": "object", "properties": {"floor": {"type": "integer"}}, "required": ["floor"]}
    tool = one(document({"/a": body({"allOf": [ref("Address"), more]})}, {"Address": ADDRESS}))
    assert list(tool.parameters["properties"]) == ["street", "floor"]
    assert tool.parameters["required"] == ["street", "floor"]


def test_a_choice_or_a_list_is_a_parameter_by_itself() -> None:
    choice = one(document({"/a": body({"oneOf": [ADDRESS, {"type": "string"}]}, required=True)}))
    assert choice.parameters["properties"]["body"]["oneOf"] == [ADDRESS, {"type": "string"}]
    assert choice.parameters["required"] == ["body"]
    listed = one(document({"/a": body({"type": "array", "items": {"type": "integer"}})}))
    assert listed.parameters["properties"] == {"body": {"type": "array", "items": {"type": "integer"}}}


def test_a_body_field_named_as_a_parameter_is_kept_apart_from_it() -> None:
    id_ = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    fields = {"type": "object", "properties": {"id": {"type": "integer"}}}
    tool = one(document({"/a/{id}": {"parameters": [id_], **body(fields)}}))
    assert tool.parameters["properties"] == {"id": {"type": "string"}, "body": fields}


def test_what_the_server_alone_writes_is_left_out() -> None:
    schema = {
        "type": "object", "required": ["id", "name"], "example": {"name": "x"}, "x-internal": True,
        "properties": {"id": {"type": "string", "readOnly": True},
                       "name": {"type": "string", "example": "Asha"}, "example": {"type": "string"}},
    }  # fmt: skip
    tool = one(document({"/a": body(schema)}))
    assert tool.parameters == {
        "type": "object", "required": ["name"],
        "properties": {"name": {"type": "string"}, "example": {"type": "string"}},
    }  # fmt: skip


def test_forms_are_bodies_and_files_are_not() -> None:
    fields = {"type": "object", "properties": {"q": {"type": "string"}}}
    assert one(document({"/a": body(fields, "multipart/form-data")})).parameters["properties"] == {
        "q": {"type": "string"}
    }
    merge = one(document({"/a": body(fields, "application/merge-patch+json; charset=utf-8")}))
    assert list(merge.parameters["properties"]) == ["q"]
    tools, [note] = openapi_tools(document({"/a": body({"type": "string"}, "application/octet-stream")}))
    assert tools == [] and note == "POST /a is left out: its body is application/octet-stream, not JSON"


def test_openapi_3_0_nullable_is_understood() -> None:
    schema = {"type": "object", "properties": {"note": {"type": "string", "nullable": True}}}
    tool = one({**document({"/a": body(schema)}), "openapi": "3.0.3"})
    assert check_call(ToolCall(name=tool.name, arguments={"note": None}), [tool]) == []


@pytest.mark.parametrize("version", ["2.0", "4.0", 3.0, None])
def test_other_versions_are_refused(version: Any) -> None:
    with pytest.raises(UserError, match=r"convert it to 3\.0 or 3\.1"):
        openapi_tools({"openapi": version, "swagger": "2.0", "paths": {}})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["#/paths", "object", "string", "get", "é"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["$ref", "get", "parameters", "name", "in", "schema", "requestBody", "content", "type",
             "properties",
             "application/json", "allOf", "required", "/a", "items", "paths"]
        ),
        inner, max_size=4,
    ),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(paths=st.dictionaries(st.sampled_from(["/a", "/b/{c}"]), JSON, max_size=2), rest=JSON)
def test_whatever_stands_in_it_ends_in_tools_and_notes_or_one_line(paths: Any, rest: Any) -> None:
    tools, notes = openapi_tools({"openapi": "3.1.0", "paths": paths, "components": rest})
    assert all(tool.name for tool in tools) and all("\n" not in note for note in notes)
