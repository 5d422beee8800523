-- Reviews of all courses in the order of commits.
create index reviews_school_changed_in on reviews (school_id, changed_in, id);

-- What an order gave and was taken back; what was not is in entitlements_source.
create index entitlements_taken_back on entitlements (school_id, source, source_id)
  where source_id is not null and revoked_at is not null;
