-- The account at the provider through which a payment was begun or charged, where a check had said it: keys of another account are
-- not asked about it.
alter table payments add column account text check (length(account) between 1 and 255);
