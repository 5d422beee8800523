create table digital_products (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  name_folded text collate "C" not null,
  -- Name, subtitle and tags, and every word of these and the description, without accents and case, for finding.
  words_folded text collate "C" not null,
  body_words text collate "C" not null,
  slug text collate "C" not null,
  subtitle text not null,
  description text not null,
  license_text text not null,
  status text collate "C" not null check (status in ('draft', 'published', 'archived')),
  visibility text collate "C" not null check (visibility in ('listed', 'unlisted')),
  image_file_id uuid,
  sample_file_id uuid,
  seo_title text,
  seo_description text,
  external_id text collate "C",
  -- How often a member may download each file; null: as often as they like.
  download_limit integer check (download_limit >= 1),
  link_minutes integer not null check (link_minutes >= 5),
  -- When a draft is published.
  publish_at timestamptz check (publish_at is null or status = 'draft'),
  published_at timestamptz,
  archived_at timestamptz,
  -- Orders refer to a product for good, so the row stays.
  deleted_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id)
);
create unique index digital_products_slug on digital_products (school_id, slug) where deleted_at is null;
create unique index digital_products_external_id on digital_products (school_id, external_id)
  where external_id is not null and deleted_at is null;
create index digital_products_name on digital_products (school_id, name_folded, id);
create index digital_products_status on digital_products (school_id, status, visibility, id);
create index digital_products_image on digital_products (school_id, image_file_id) where image_file_id is not null;
create index digital_products_sample on digital_products (school_id, sample_file_id) where sample_file_id is not null;
select stoa.guard('digital_products');

create function stoa.product_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('digital_product', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'digital_product', new.id, new.words_folded, new.body_words,
      case when new.status = 'published' and new.visibility = 'listed' then coalesce(new.published_at, new.created_at) end);
  end if;
  return null;
end $$;
create trigger digital_products_found
  after insert or update of words_folded, body_words, status, visibility, published_at, deleted_at on digital_products
  for each row execute function stoa.product_search_entry();

-- Slugs that a product had before, so that old addresses lead to it.
create table product_slugs (
  school_id uuid not null,
  slug text collate "C" not null,
  product_id uuid not null,
  primary key (school_id, slug),
  foreign key (school_id, product_id) references digital_products (school_id, id)
);
create index product_slugs_product on product_slugs (school_id, product_id);
select stoa.guard('product_slugs');

create table product_tags (
  school_id uuid not null,
  product_id uuid not null,
  tag text collate "C" not null,
  primary key (school_id, product_id, tag),
  foreign key (school_id, product_id) references digital_products (school_id, id)
);
create index product_tags_tag on product_tags (school_id, tag, product_id);
select stoa.guard('product_tags');

create table product_categories (
  school_id uuid not null,
  product_id uuid not null,
  category_id uuid not null,
  primary key (school_id, product_id, category_id),
  foreign key (school_id, product_id) references digital_products (school_id, id),
  foreign key (school_id, category_id) references categories (school_id, id)
);
create index product_categories_category on product_categories (school_id, category_id, product_id);
select stoa.guard('product_categories');

-- A price never changes: it is used, or it is retired and another one takes its place.
create table product_prices (
  school_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  payment_type text not null check (payment_type in ('free', 'one_time', 'payment_plan')),
  amount bigint not null check ((amount = 0) = (payment_type = 'free') and amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  "interval" text check ("interval" in ('week', 'month', 'year')),
  interval_count integer,
  number_of_payments integer,
  trial_days integer check (trial_days is null),
  access_days integer,
  access_until timestamptz,
  enrollment_cap integer check (enrollment_cap is null),
  status text collate "C" not null check (status in ('active', 'retired')),
  retired_at timestamptz,
  -- The one that is shown first; always one that can be bought.
  is_primary boolean not null default false check (status = 'active' or not is_primary),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, product_id) references digital_products (school_id, id)
);
create index product_prices_product on product_prices (school_id, product_id, id);
create unique index product_prices_primary on product_prices (school_id, product_id) where is_primary;
select stoa.guard('product_prices');

-- A file of a product; its bytes are those of its latest version. One that was removed keeps its row, since links and the log
-- of downloads refer to it.
create table product_files (
  school_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  position integer not null,
  removed_at timestamptz,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, product_id) references digital_products (school_id, id)
);
create index product_files_product on product_files (school_id, product_id, position, id);
select stoa.guard('product_files');

create table product_file_versions (
  school_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  version integer not null check (version >= 1),
  -- Of a file that was removed, the bytes may be gone.
  upload_id uuid not null,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, file_id) references product_files (school_id, id)
);
create unique index product_file_versions_version on product_file_versions (school_id, file_id, version);
create index product_file_versions_upload on product_file_versions (school_id, upload_id);
select stoa.guard('product_file_versions');

-- A link to one version of a file for one member. A counted one takes one of the downloads of the member at its first byte.
create table download_links (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  version_id uuid not null,
  is_counted boolean not null,
  expires_at timestamptz not null,
  first_used_at timestamptz,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, version_id) references product_file_versions (school_id, id)
);
create index download_links_member on download_links (school_id, member_id);
create index download_links_version on download_links (school_id, version_id);
create index download_links_expires_at on download_links (school_id, expires_at);
select stoa.guard('download_links');

-- How many downloads of a file a member has used, over all of its versions.
create table download_counts (
  school_id uuid not null,
  member_id uuid not null,
  file_id uuid not null,
  used integer not null check (used >= 0),
  primary key (school_id, member_id, file_id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, file_id) references product_files (school_id, id)
);
create index download_counts_file on download_counts (school_id, file_id);
select stoa.guard('download_counts');

-- Who downloaded what: one row for each link and network in which it was used. The link itself may have expired and be gone.
create table product_downloads (
  school_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  version_id uuid not null,
  member_id uuid not null,
  -- Only the first bytes of an IPv4 address (/24) or an IPv6 address (/48); null after the member was erased.
  network text collate "C",
  is_counted boolean not null,
  changed_in bigint not null,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, version_id) references product_file_versions (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create unique index product_downloads_link on product_downloads (school_id, link_id, network);
create index product_downloads_version on product_downloads (school_id, version_id, id);
create index product_downloads_member on product_downloads (school_id, member_id, id);
create index product_downloads_changed_in on product_downloads (school_id, changed_in, id);
select stoa.guard('product_downloads');
create trigger product_downloads_made before insert or update on product_downloads
  for each row execute function stoa.stamp_change();

-- Mails about new versions that are being sent to the holders of a product, after one of them.
create table product_notices (
  school_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  after_member_id uuid,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, product_id) references digital_products (school_id, id)
);
create index product_notices_product on product_notices (school_id, product_id);
select stoa.guard('product_notices');
