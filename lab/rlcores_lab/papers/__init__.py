"""The account of the five papers: what each table and figure says, and what we found."""
