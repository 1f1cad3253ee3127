"""From scores to tables and pages."""
