-- Mails have the colors and corners of the published appearance.
update schools s
set look = jsonb_set(s.look, '{email}', (s.look -> 'email') || jsonb_build_object(
  'colors', jsonb_build_object(
    'light', (v.settings #> '{colors,light}') - 'warn' - 'warn_ink',
    'dark', (v.settings #> '{colors,dark}') - 'warn' - 'warn_ink'),
  'radius', v.settings -> 'radius'))
from (select distinct on (school_id) school_id, settings from appearance_versions order by school_id, number desc) v
where v.school_id = s.id and s.look is not null;

-- The receipt of an order waits for the invoice that was issued with it, and has it attached; where it was sent without, the invoice
-- follows. Null until the payment was handled.
alter table invoices add column receipt text check (receipt in ('waits', 'sent', 'attached'));
update invoices set receipt = case when print_state = 'printed' then 'attached' else 'sent' end;
