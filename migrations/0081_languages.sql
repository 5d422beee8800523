-- The languages of the pages are declared in the application, and more of them come.
alter table invoices drop constraint invoices_language_check, add constraint invoices_language_check check (language ~ '^[a-z]{2}$');
