-- A fact that is not as its type declares is kept in the school.
alter table facts add column is_withheld boolean not null default false;

-- Payloads of facts up to this number have names that are not declared; apps read those after it.
alter table schools add column facts_open_after bigint not null default 0;
update schools s set facts_open_after = coalesce((select max(f.sequence) from facts f where f.school_id = s.id), 0);

-- The mails of somebody who was erased are named by a fact of their own, which does not leave the school.
with added as (
  insert into facts (school_id, id, type, payload, recorded_at)
  select school_id, gen_random_uuid(), 'mail.deleted',
    jsonb_build_object('row_ids', payload -> 'mails', 'count', jsonb_array_length(payload -> 'mails')), recorded_at
  from facts
  where delivered_at is null and type = 'member.erased' and jsonb_typeof(payload -> 'mails') = 'array'
    and jsonb_array_length(payload -> 'mails') > 0
  returning school_id, id, recorded_at)
-- No school is set, so the trigger leaves them out.
insert into jobs (school_id, kind, id, due_at) select school_id, 'fact', id, recorded_at from added;
update facts set payload = payload - 'mails' where delivered_at is null and type = 'member.erased';

-- What is not delivered yet gets the names of the API. An empty type: in every type that has no line of its own.
create temporary table renamed_fields (type text, old text, new text not null, primary key (type, old)) on commit drop;
insert into renamed_fields
select '', name, name || '_id' from unnest(array[
  'app', 'attachment', 'assignment', 'attempt', 'category', 'certificate', 'client', 'comment', 'coupon', 'course', 'deployment',
  'dispute', 'download_link', 'enrollment', 'entitlement', 'event', 'export', 'field', 'file', 'form', 'gift', 'grant', 'group',
  'hold', 'import', 'invoice', 'item', 'lecturer', 'lesson', 'member', 'note', 'occurrence', 'order', 'page', 'payment', 'payment_method',
  'plan', 'post', 'price', 'quiz', 'redemption', 'registration', 'review', 'section', 'segment', 'session', 'subject',
  'submission', 'subscription', 'template', 'ticket_type', 'to_price', 'upload']) as name;
insert into renamed_fields values
  ('', 'certificate_template', 'template_id'),
  ('', 'digital_product', 'product_id'),
  ('', 'post_category', 'category_id'),
  ('', 'product_file', 'file_id'),
  ('appearance.published', 'version', 'version_id'),
  ('category.deleted', 'courses', 'course_count'),
  ('category.deleted', 'digital_products', 'product_count'),
  ('certificate.replaced', 'by', 'replaced_by_id'),
  ('coupon.code_stopped', 'code', 'code_id'),
  ('coupon.updated', 'codes', 'count'),
  ('course.completed_for_students', 'certificates', 'certificate_count'),
  ('course.completed_for_students', 'students', 'student_count'),
  ('course.copied', 'from', 'copied_from_id'),
  ('course.scheduled', 'at', 'publish_at'),
  ('credit_note.issued', 'credited', 'credited_invoice_id'),
  ('digital_product.copied', 'from', 'copied_from_id'),
  ('digital_product.scheduled', 'at', 'publish_at'),
  ('event.created', 'from', 'copied_from_id'),
  ('lesson.unlocked', 'lessons', 'lesson_ids'),
  ('member.merged', 'from', 'merged_member_id'),
  ('occurrence.mailed', 'recipients', 'recipient_count'),
  ('order.lines_not_given', 'lines', 'line_ids'),
  ('outline.updated', 'changes', 'change_count'),
  ('page.created', 'from', 'copied_from_id'),
  ('page.scheduled', 'at', 'publish_at'),
  ('post.created', 'from', 'copied_from_id'),
  ('post.mailed', 'recipients', 'recipient_count'),
  ('post.scheduled', 'at', 'publish_at'),
  ('post_category.deleted', 'posts', 'post_count'),
  ('price.move_announced', 'subscriptions', 'subscription_count'),
  ('refund.begun', 'refund', 'refund_id'),
  ('refund.failed', 'refund', 'refund_id'),
  ('refund.succeeded', 'refund', 'refund_id'),
  ('registration.moved', 'from', 'from_occurrence_id'),
  ('registrations.ending', 'occurrences', 'occurrence_ids'),
  ('registrations.ending', 'orders', 'order_count'),
  ('registrations.ending', 'registrations', 'registration_count'),
  ('section.archived', 'lessons', 'lesson_count'),
  ('student.imported', 'members', 'member_count'),
  ('subscription.credit_given', 'credit', 'amount');

update facts f set payload = (
  select jsonb_object_agg(coalesce(own.new, other.new, field.key), field.value)
  from jsonb_each(f.payload) as field
    left join renamed_fields own on own.type = f.type and own.old = field.key
    left join renamed_fields other on other.type = '' and other.old = field.key)
where f.delivered_at is null and f.payload <> '{}';

-- What somebody wrote is no part of a fact.
update facts set payload = payload - 'reason'
  || case type when 'subscription.canceled' then jsonb_build_object('is_unpaid', coalesce(payload ->> 'reason', '') = 'payment_failed')
    else '{}' end
where delivered_at is null and type in ('subscription.canceled', 'subscription.cancel_planned');

-- Lists have a count beside them, and access to a course names the course.
update facts f set payload = payload || jsonb_build_object('count', jsonb_array_length(payload -> list.field))
from (values ('lesson.unlocked', 'lesson_ids'), ('order.lines_not_given', 'line_ids'), ('registrations.ending', 'occurrence_ids'))
  as list (type, field)
where f.delivered_at is null and f.type = list.type and jsonb_typeof(f.payload -> list.field) = 'array';
update facts set payload = payload || jsonb_build_object('course_id', payload -> 'item_id')
where delivered_at is null and type ~ '^(entitlement|hold)\.' and payload ->> 'item_type' = 'course';
