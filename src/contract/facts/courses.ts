import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { At, Count, declareFacts, FieldNames } from './declaration.ts'

const scope = 'courses:read'
const course = { course_id: Id('crs') }
const aboutCourse = { scope, subject: 'course_id', readBy: 'getCourse' } as const
const category = { scope, subject: 'category_id' } as const
const review = { review_id: Id('rev'), course_id: Id('crs'), member_id: Id('mem') }
const aboutReview = { scope, subject: 'review_id', readBy: 'getReview' } as const
const template = { template_id: Id('ctp') }
const aboutTemplate = { scope, subject: 'template_id', readBy: 'getCertificateTemplate' } as const

// A price belongs to one of them.
const priced = {
  course_id: Type.Optional(Id('crs')),
  product_id: Type.Optional(Id('dpr')),
  plan_id: Type.Optional(Id('mpl')),
  ticket_type_id: Type.Optional(Id('tkt')),
}

/** The facts about courses, their prices, categories, reviews and templates of certificates. */
export const courseFacts = {
  ...declareFacts(
    { ...aboutCourse, fields: course },
    {
      'course.archived': 'A course was archived.',
      'course.created': 'A course was created.',
      'course.published': 'A course was published.',
      'course.restored': 'A course was restored from the bin.',
      'course.unarchived': 'A course was restored from the archive.',
      'course.unpublished': 'A course was unpublished.',
      'course.unscheduled': 'The scheduled publication of a course was cancelled.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'course_id', fields: course },
    {
      'course.deleted': 'A course was deleted.',
      'course.purged': 'A course that was in the bin was deleted for good.',
    },
  ),
  ...declareFacts(
    { ...aboutCourse, fields: { ...course, fields: FieldNames } },
    { 'course.updated': 'A course changed.' },
  ),
  ...declareFacts(
    { ...aboutCourse, fields: { ...course, publish_at: At } },
    { 'course.scheduled': 'A course was scheduled for publication.' },
  ),
  ...declareFacts(
    { ...aboutCourse, fields: { ...course, copied_from_id: Id('crs') } },
    { 'course.copied': 'A course was copied as a draft.' },
  ),
  ...declareFacts(
    { ...aboutCourse, fields: { ...course, lecturer_id: Id('lec') } },
    {
      'course.lecturer_added': 'A lecturer was added to a course.',
      'course.lecturer_removed': 'A lecturer was removed from a course.',
    },
  ),
  ...declareFacts(
    { ...aboutCourse, fields: { ...course, student_count: Count, certificate_count: Count } },
    { 'course.completed_for_students': 'Staff completed a course for everybody who lacked nothing.' },
  ),
  ...declareFacts(
    { ...category, fields: { category_id: Id('cat') } },
    { 'category.created': 'A category of courses was created.' },
  ),
  ...declareFacts(
    { ...category, fields: { category_id: Id('cat'), fields: FieldNames } },
    { 'category.updated': 'A category of courses changed.' },
  ),
  ...declareFacts(
    { ...category, fields: { category_id: Id('cat'), course_count: Count, product_count: Count } },
    { 'category.deleted': 'A category of courses was deleted.' },
  ),
  ...declareFacts(
    { scope, fields: { count: Count } },
    { 'category.reordered': 'The order of categories of courses changed.' },
  ),
  ...declareFacts(
    { scope, subject: 'price_id', fields: { price_id: Id('prc'), ...priced } },
    { 'price.archived': 'A price was archived.', 'price.created': 'A price was created.' },
  ),
  ...declareFacts(
    {
      scope,
      subject: 'price_id',
      fields: { plan_id: Id('mpl'), price_id: Id('prc'), to_price_id: Id('prc'), subscription_count: Count },
    },
    { 'price.move_announced': 'Members were told that their subscriptions change to another price.' },
  ),
  ...declareFacts(
    { ...aboutReview, fields: review },
    {
      'review.created': 'A review was created.',
      'review.hidden': 'A review was hidden.',
      'review.published': 'A review was published.',
      'review.replied': 'Somebody replied to a review for the school.',
      'review.reply_deleted': 'The reply to a review was deleted.',
    },
  ),
  ...declareFacts({ scope, subject: 'review_id', fields: review }, { 'review.deleted': 'A review was deleted.' }),
  ...declareFacts(
    { ...aboutReview, fields: { ...review, fields: FieldNames } },
    { 'review.updated': 'A review changed.' },
  ),
  ...declareFacts(
    { ...aboutTemplate, fields: template },
    { 'certificate_template.created': 'A certificate template was created.' },
  ),
  ...declareFacts(
    { scope, subject: 'template_id', fields: template },
    { 'certificate_template.deleted': 'A certificate template was deleted.' },
  ),
  ...declareFacts(
    { ...aboutTemplate, fields: { ...template, fields: FieldNames } },
    { 'certificate_template.updated': 'A certificate template changed.' },
  ),
}
