-- One seat of an occurrence for one person: asked for, waited for, held, taken or given up.
create table registrations (
  school_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  occurrence_id uuid not null,
  -- Null where a host added somebody without a ticket.
  ticket_type_id uuid,
  price_id uuid,
  -- Who registered; null where a host added a name, and after the erasure of the member.
  member_id uuid,
  -- The line of the order that pays for it.
  line_id uuid,
  status text collate "C" not null check (status in ('awaiting_payment', 'awaiting_approval', 'waitlisted', 'offered',
    'confirmed', 'checked_in', 'cancelled', 'declined', 'expired')),
  -- What is paid for the seat, in minor units, where the person chose it.
  amount bigint check (amount >= 0),
  attendee_name text not null,
  attendee_email text,
  -- The name, and the name with the address, without accents and case, for finding.
  name_folded text collate "C" not null,
  words_folded text collate "C" not null,
  answers jsonb not null default '[]',
  -- What is shown at the entrance; 60 random bits in Crockford's base32.
  code text collate "C" not null,
  -- Until when the seat is held for somebody who has not taken it.
  hold_until timestamptz check (hold_until is null or status in ('awaiting_payment', 'offered')),
  -- The place on the waiting list; one whose offer passed goes to its end.
  waiting_since timestamptz check (waiting_since is not null or status not in ('waitlisted', 'offered')),
  confirmed_at timestamptz check (confirmed_at is not null or status not in ('confirmed', 'checked_in')),
  checked_in_at timestamptz check ((checked_in_at is not null) = (status = 'checked_in')),
  cancelled_at timestamptz,
  cancelled_by text collate "C" check (cancelled_by in ('person', 'host', 'event', 'refund', 'erasure', 'payment')),
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, event_id) references events (school_id, id),
  foreign key (school_id, occurrence_id) references occurrences (school_id, id),
  foreign key (school_id, ticket_type_id) references ticket_types (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check ((cancelled_at is null) = (cancelled_by is null))
);
create unique index registrations_code on registrations (school_id, code);
create index registrations_event on registrations (school_id, event_id, id);
create index registrations_occurrence on registrations (school_id, occurrence_id, status, id);
create index registrations_ticket_type on registrations (school_id, ticket_type_id, occurrence_id)
  where ticket_type_id is not null;
create index registrations_member on registrations (school_id, member_id, id) where member_id is not null;
create index registrations_line on registrations (school_id, line_id) where line_id is not null;
create index registrations_waiting on registrations (school_id, occurrence_id, waiting_since, id)
  where status = 'waitlisted';
create index registrations_hold on registrations (school_id, occurrence_id, hold_until) where hold_until is not null;
create index registrations_changed_in on registrations (school_id, changed_in, id);
select stoa.guard('registrations');

create trigger registrations_made before insert on registrations for each row execute function stoa.stamp_change();
create trigger registrations_changed before update on registrations for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- The registrations of an occurrence that was cancelled, while the job refunds them page by page.
create table occurrence_refunds (
  school_id uuid not null,
  occurrence_id uuid not null,
  refund text collate "C" not null check (refund in ('all', 'none')),
  -- What the mails say besides that it is cancelled.
  message text not null,
  created_at timestamptz not null,
  -- When the last registration was ended.
  ended_at timestamptz,
  primary key (school_id, occurrence_id),
  foreign key (school_id, occurrence_id) references occurrences (school_id, id)
);
select stoa.guard('occurrence_refunds');

-- Mails to the people of an occurrence that are being recorded page by page, after one of its registrations.
create table event_mailings (
  school_id uuid not null,
  id uuid not null,
  occurrence_id uuid not null,
  kind text collate "C" not null check (kind in ('message', 'changed', 'day_before', 'hour_before')),
  statuses text[] not null,
  subject text,
  message text check ((message is not null) = (kind = 'message') and (subject is not null) = (kind = 'message')),
  after_id uuid,
  mailed integer not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, occurrence_id) references occurrences (school_id, id)
);
create index event_mailings_occurrence on event_mailings (school_id, occurrence_id);
select stoa.guard('event_mailings');
