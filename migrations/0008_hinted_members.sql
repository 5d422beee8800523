-- Whom the ID token that a client sent as a hint names; nobody else may answer the request. No foreign key: the person may
-- be gone meanwhile, and then nobody answers it.
alter table authorization_requests add column hinted_member_id uuid;
