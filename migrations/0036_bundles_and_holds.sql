-- A hold may name a source, such as a disputed order line, instead of an item: it suspends only what this source gave.
alter table holds
  add column source text
    check (source in ('order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free')),
  add check (source is null or (source_id is not null and item_type is null));
create index holds_source on holds (school_id, source, source_id) where source is not null;
