"""How results look in notebooks and reports: pieces of HTML, and charts as SVG text that need no plotting library."""
