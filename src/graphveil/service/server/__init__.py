"""Around the application, in the process that serves it: connections and logs."""
