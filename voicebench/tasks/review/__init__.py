"""People in the loop: a workbook and a page for native speakers, and their corrections applied."""
