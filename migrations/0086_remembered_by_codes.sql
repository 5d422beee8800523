-- Whether the browser stays signed in after a sign-in by the code, as was chosen when the code was requested.
alter table address_codes add column is_remembered boolean not null default true;
