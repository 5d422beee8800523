-- When a person joined, if that was before they were added to this school: an import says so.
alter table members add column joined_at timestamptz;

-- An import that is undone ends what it gave; the same list can then be imported again.
alter table entitlements drop constraint entitlements_revoked_by_check,
  add constraint entitlements_revoked_by_check check (revoked_by in ('member', 'school', 'undo')) not valid;
alter table entitlements validate constraint entitlements_revoked_by_check;
