-- What somebody wants to buy on the pages of the school, until they have proven who they are; it leads to one order at most.
create table checkouts (
  school_id uuid not null,
  id uuid not null,
  -- The hash of what binds it to one browser: the cookie before sign-in, or the session.
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  items jsonb not null check (jsonb_typeof(items) = 'array'),
  codes text[] not null,
  billing jsonb not null check (jsonb_typeof(billing) = 'object'),
  accepts_terms boolean not null,
  waives_withdrawal boolean not null,
  campaign text,
  -- Null for a member who was signed in, and once it is used.
  email text,
  email_folded text,
  name text,
  -- What the buyer was shown: the hash of the quote, and its total in minor units.
  quote_hash bytea not null check (octet_length(quote_hash) = 32),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total bigint not null check (total >= 0),
  member_id uuid,
  order_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, order_id) references orders (school_id, id),
  check ((used_at is null) = (order_id is null)),
  check ((used_at is null) = (member_id is null)),
  check ((email is null) = (email_folded is null))
);
create index checkouts_member on checkouts (school_id, member_id, id) where member_id is not null;
create index checkouts_order on checkouts (school_id, order_id) where order_id is not null;
create index checkouts_email on checkouts (school_id, email_folded, id) where email_folded is not null;
create index checkouts_expires_at on checkouts (school_id, expires_at);
select stoa.guard('checkouts');
