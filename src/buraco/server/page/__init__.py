"""The plain page: the table as text, and buttons for what may be done."""
