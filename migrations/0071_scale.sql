-- Who has access to come is found by the entitlements that have not begun.
create index entitlements_starts_at on entitlements (school_id, starts_at);
