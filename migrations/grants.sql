-- What the application's login may do; run after every migration. It owns nothing and changes no history.
grant usage on schema public, stoa to :app;
grant select on stoa.clock, stoa.migrations to :app;
grant select, insert, update on schools to :app;
grant select, insert, delete on hosts to :app;
grant select, insert, update, delete on limits to :app;
grant select, insert, update, delete on
  members, credentials, sessions, clients, client_secrets, authorization_requests, grants, access_tokens, signing_keys, idempotency_keys
  to :app;
grant select, insert on security_events, audit_log, facts to :app;
grant select, insert, update, delete on jobs, mails, address_codes, known_browsers to :app;
-- Locked by the sweep.
grant select, insert, update, delete on kept_forms to :app;
grant select, insert, update, delete on refresh_families to :app;
grant select on stoa.era to :app;
grant update (sequence, attempts, delivered_at, parked_at, last_error) on facts to :app;
revoke execute on function stoa.after_restore() from public;
grant select, insert, update, delete on member_tags, member_notes, member_fields, groups, group_members, past_group_members
  to :app;
grant select, insert, update, delete on marketing_consents, member_segments to :app;
grant select, insert, update, delete on confirmations, usage_days to :app;
grant select, insert, update, delete on lecturers, lecturer_slugs to :app;
grant select, insert, update, delete on
  categories, courses, course_slugs, course_tags, course_categories, course_lecturers, course_prices to :app;
grant select, insert, update, delete on seat_reservations to :app;
grant select, insert, update, delete on digital_products, product_slugs, product_tags, product_categories, product_prices,
  product_files, product_file_versions, download_links, download_counts, product_downloads, product_notices to :app;
grant select, insert, update, delete on membership_plans, plan_slugs, plan_prices to :app;
grant select, insert, update, delete on outlines, sections, lessons to :app;
grant select, insert on school_time_zones to :app;
grant select, insert, update, delete on lesson_drips, lesson_completions, lesson_openings, lesson_positions, lesson_notices
  to :app;
grant select, insert, update, delete on lesson_versions, lesson_files, lesson_attachments to :app;
grant select, insert, update, delete on uploads, storage_totals to :app;
grant select, insert, update on school_selling, number_series to :app;
grant select, insert on invoices to :app;
grant update (member_id, buyer, buyer_erased_at, file_id, print_state, receipt, missing_characters, revision, updated_at)
  on invoices to :app;
grant select, insert, update, delete on payment_providers, payment_secrets to :app;
grant select, insert, update on payments, payment_methods, refunds, disputes, payment_receipts, test_payments, test_refunds to :app;
grant select, insert, update on payment_outages to :app;
grant select, insert on payment_references to :app;
grant select, insert, update, delete on payment_events, test_events to :app;
grant select, insert, update on entitlements, holds, bundle_items, group_items to :app;
grant select, insert, update, delete on assignments, submissions, submission_files, assignment_extensions to :app;
grant select, insert, update, delete on quizzes, quiz_questions, question_versions, question_keys to :app;
grant select, insert, update, delete on quiz_attempts, attempt_answers, attempt_marks to :app;
grant select, insert, update, delete on enrollments to :app;
grant select, insert, update, delete on certificate_templates to :app;
grant select, insert, update on certificates to :app;
grant select, insert on credential_keys to :app;
grant update (given_up_at) on credential_keys to :app;
revoke execute on function stoa.sealed_keys() from public;
grant execute on function stoa.sealed_keys() to :app;
revoke execute on function stoa.oldest_delivery_age() from public;
grant execute on function stoa.oldest_delivery_age() to :app;
grant select, insert, update, delete on reviews, course_ratings to :app;
grant select, insert, update, delete on exports, account_deletions to :app;
revoke execute on function stoa.forget_events(uuid, integer) from public;
grant execute on function stoa.forget_events(uuid, integer) to :app;
grant select, insert, update on order_numbers, orders, order_lines, order_discounts to :app;
grant select, insert, update on subscriptions, subscription_periods, subscription_moves, subscription_price_changes to :app;
grant select, insert on subscription_changes, subscription_credits to :app;
grant update (kind) on subscription_credits to :app;
grant select, insert on mrr_changes to :app;
grant update (member_id) on subscription_changes to :app;
grant select, insert, update, delete on checkouts to :app;
grant select, insert, delete on refund_lines, refund_notes to :app;
grant select, insert, update on stoa.heartbeat to :app;
grant select, insert, update, delete on coupons, coupon_items, coupon_members, coupon_codes to :app;
grant select, insert, update on coupon_redemptions to :app;
grant select, insert, update on appearances to :app;
grant select, insert on appearance_versions, appearance_sheets to :app;
grant select, insert, update, delete on pages, page_versions, page_paths to :app;
grant select, insert, update, delete on forms, form_versions, form_submissions, form_submission_files to :app;
grant select, insert on guide_steps to :app;
grant select, insert, update, delete on page_deployments, page_objects, page_deployment_files to :app;
grant select, insert, update, delete on post_categories, posts, post_versions, post_files, post_slugs, post_tags,
  post_category_links, post_mailings to :app;
grant select, insert, update, delete on bin to :app;
grant select, update on all_courses, all_lessons, all_posts, all_products to :app;
grant select, update, delete on all_pages to :app;
grant select, insert, update on comments to :app;
grant select, insert, update, delete on comment_reports, comment_mutes to :app;
grant select, insert, update, delete on metric_buckets, activity_hours to :app;
grant select, insert, delete on metric_dirty to :app;
grant select, insert, update on view_counts to :app;
grant select, insert, update on metric_states to :app;
grant select, insert, update, delete on events, event_slugs, event_lecturers, occurrences, calendar_feeds, ticket_types, ticket_prices
  to :app;
grant select, insert, update on registrations to :app;
grant select, insert, update on occurrence_refunds, event_mailings to :app;
grant select, insert, delete on test_clearings to :app;
revoke execute on function stoa.clear_test_sales(uuid, integer), stoa.clear_rest(uuid, integer),
  stoa.clear_subscriptions(uuid, uuid[]), stoa.clear_orders(uuid, uuid[]), stoa.clear_invoices(uuid, uuid[]),
  stoa.clear_payments(uuid, uuid[]), stoa.clear_given(uuid, text, uuid[]) from public;
grant execute on function stoa.clear_test_sales(uuid, integer) to :app;
grant select, insert, update, delete on webhooks, webhook_deliveries to :app;
grant select, insert, update on distributions to :app;
grant select, insert, update, delete on imports, import_rows to :app;
