"""Looking at results: metrics, tables, plots, the HTML report."""
