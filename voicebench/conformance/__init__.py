"""What any scorer of tool calls should say of an answer: cases as data, and ways to run a scorer on them."""
