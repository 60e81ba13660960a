"""What the collector remembers: tables, transactions and queries; nothing here decides anything."""
