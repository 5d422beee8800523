-- A code by mail signs somebody in, or confirms who they are within their session.
alter table address_codes drop constraint address_codes_purpose_check,
  add constraint address_codes_purpose_check
    check (purpose in ('sign_up', 'invitation', 'reset', 'verification', 'email_change', 'sign_in', 'confirm'));

-- Where the person was going: the link of the mail is too short for some addresses.
alter table address_codes add column return_to text;
