-- What a person knows a session by: the browser in which it began.
alter table sessions add column browser text;

-- A new address is proven by a code before it takes the place of the old one.
alter table address_codes drop constraint address_codes_purpose_check,
  add constraint address_codes_purpose_check
    check (purpose in ('sign_up', 'invitation', 'reset', 'verification', 'email_change'));
