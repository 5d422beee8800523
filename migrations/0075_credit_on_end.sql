-- What becomes of a credit when its subscription ends; null is as the school says for all.
alter table subscriptions
  add column credit_on_end text collate "C" check (credit_on_end in ('pay_back', 'wait', 'drop'));

-- What has ended already waits for the school.
update subscriptions set credit_on_end = 'wait' where status in ('canceled', 'completed', 'expired') and credit > 0;
