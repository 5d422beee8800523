-- A file belongs to a member, or to the form that it was sent to by somebody who need not have an account.
alter table uploads
  alter column member_id drop not null,
  add column form_id uuid,
  add constraint uploads_one_owner check (num_nonnulls(member_id, form_id) = 1),
  add constraint uploads_form_purpose check ((purpose = 'form') = (form_id is not null));
create index uploads_form on uploads (school_id, form_id, id) where form_id is not null;

-- What a host serves: the school, or the uploaded pages of the school, which may not share an origin with it.
alter table hosts add column purpose text not null default 'school' check (purpose in ('school', 'pages'));
