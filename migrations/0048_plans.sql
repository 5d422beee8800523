-- What a school sells as a whole: a plan opens courses, products, events and categories of posts to everybody who holds it. Its
-- contents are rows of bundle_items.
create table membership_plans (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  name_folded text collate "C" not null,
  -- The name, and every word of it, the description and the benefits, without accents and case, for finding.
  words_folded text collate "C" not null,
  body_words text collate "C" not null,
  slug text collate "C" not null,
  description text not null,
  benefits text[] not null,
  plan_type text collate "C" not null check (plan_type in ('recurring', 'fixed_date', 'fixed_length', 'lifetime')),
  -- The last day of access, in the zone of the school.
  ends_on date,
  length_days integer check (length_days >= 1),
  length_months integer check (length_months >= 1),
  -- Whether it opens the paid posts that name no plan.
  opens_posts boolean not null,
  status text collate "C" not null check (status in ('draft', 'active', 'archived')),
  visibility text collate "C" not null check (visibility in ('listed', 'unlisted')),
  position integer not null,
  image_file_id uuid,
  welcome_page_id uuid,
  seo_title text,
  seo_description text,
  external_id text collate "C",
  published_at timestamptz,
  -- Orders, entitlements and posts refer to a plan for good, so the row stays.
  deleted_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  check ((plan_type = 'fixed_date') = (ends_on is not null)),
  check ((plan_type = 'fixed_length') = (num_nonnulls(length_days, length_months) = 1)),
  check (num_nonnulls(length_days, length_months) <= 1)
);
create unique index membership_plans_slug on membership_plans (school_id, slug) where deleted_at is null;
create unique index membership_plans_external_id on membership_plans (school_id, external_id)
  where external_id is not null and deleted_at is null;
create index membership_plans_position on membership_plans (school_id, position, id);
create index membership_plans_name on membership_plans (school_id, name_folded, id);
create index membership_plans_image on membership_plans (school_id, image_file_id) where image_file_id is not null;
select stoa.guard('membership_plans');

create function stoa.plan_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('membership_plan', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'membership_plan', new.id, new.words_folded, new.body_words,
      case when new.status = 'active' and new.visibility = 'listed' then coalesce(new.published_at, new.created_at) end);
  end if;
  return null;
end $$;
create trigger membership_plans_found
  after insert or update of words_folded, body_words, status, visibility, published_at, deleted_at on membership_plans
  for each row execute function stoa.plan_search_entry();

-- Slugs that a plan had before, so that old addresses lead to it.
create table plan_slugs (
  school_id uuid not null,
  slug text collate "C" not null,
  plan_id uuid not null,
  primary key (school_id, slug),
  foreign key (school_id, plan_id) references membership_plans (school_id, id)
);
create index plan_slugs_plan on plan_slugs (school_id, plan_id);
select stoa.guard('plan_slugs');

-- A price never changes: it is used, or it is retired and another one takes its place. The plan says for how long it gives access.
create table plan_prices (
  school_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  payment_type text not null check (payment_type in ('free', 'one_time', 'subscription', 'payment_plan')),
  amount bigint not null check ((amount = 0) = (payment_type = 'free') and amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  "interval" text check ("interval" in ('week', 'month', 'year')),
  interval_count integer,
  number_of_payments integer,
  trial_days integer,
  access_days integer check (access_days is null),
  access_until timestamptz check (access_until is null),
  enrollment_cap integer check (enrollment_cap is null),
  status text collate "C" not null check (status in ('active', 'retired')),
  retired_at timestamptz,
  -- The one that is shown first; always one that can be bought.
  is_primary boolean not null default false check (status = 'active' or not is_primary),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, plan_id) references membership_plans (school_id, id)
);
create index plan_prices_plan on plan_prices (school_id, plan_id, id);
create unique index plan_prices_primary on plan_prices (school_id, plan_id) where is_primary;
select stoa.guard('plan_prices');
