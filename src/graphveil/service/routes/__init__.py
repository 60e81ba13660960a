"""The addresses of the collector; each translates a request into one call of the service and back."""
