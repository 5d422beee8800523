import { exampleFrom } from '#src/contract/example.ts'

/** How the states of a resource are brought about in the demo school. */
export type Resource = {
  /** The statement that puts the row into each state; an empty one where the row is in it already. */
  readonly states: Readonly<Record<string, string>>
  /** The operation whose example names the row; unset: the one that reads the resource. */
  readonly row?: string
  /** The state in which nobody reads the resource. */
  readonly unseen?: string
  /** Requests that fit the row, where the example of an operation is about another one. */
  readonly requests?: Readonly<Record<string, object>>
}

const set = (table: string, values: string): string =>
  `update ${table} set ${values} where school_id = $school and id = $id`

const NONE = ''

const statusOfImport = (status: string, problem = 'null', ended = 'null'): string =>
  set('imports', `status = '${status}', problem = ${problem}, ended_at = ${ended}`)
const WHY = `'{"code": "internal_error", "message": "It stopped."}'`

const anImport = {
  reading: statusOfImport('reading'),
  unreadable: statusOfImport('unreadable', WHY),
  ready: statusOfImport('ready'),
  checking: statusOfImport('checking'),
  checked: statusOfImport('checked'),
  running: statusOfImport('running'),
  stopped: statusOfImport('stopped', WHY, 'stoa.now()'),
  completed: statusOfImport('completed', 'null', 'stoa.now()'),
  undoing: statusOfImport('undoing'),
  undone: statusOfImport('undone', 'null', 'stoa.now()'),
}
const there = { there: NONE }

const publishing = (table: string): Record<string, string> => ({
  draft: set(table, `status = 'draft', publish_at = null, published_at = null`),
  scheduled: set(table, `status = 'scheduled', publish_at = stoa.now() + interval '1 day'`),
  published: set(table, `status = 'published', publish_at = null, published_at = stoa.now()`),
  archived: set(table, `status = 'archived', publish_at = null, published_at = stoa.now(), archived_at = stoa.now()`),
})

const { scheduled: _, ...product } = publishing('digital_products')

const review = {
  pending: set('reviews', `status = 'pending', hidden_reason = null`),
  published: set('reviews', `status = 'published', hidden_reason = null, published_at = stoa.now()`),
  hidden: set('reviews', `status = 'hidden', hidden_reason = 'Advertising'`),
}

const attempt = {
  started: set('quiz_attempts', `status = 'started', submitted_at = null, graded_at = null, expires_at = null`),
  submitted: set('quiz_attempts', `status = 'submitted', submitted_at = stoa.now()`),
  timed_out: set('quiz_attempts', `status = 'timed_out', timed_out_at = stoa.now()`),
  graded: set(
    'quiz_attempts',
    `status = 'graded', submitted_at = stoa.now(), graded_at = stoa.now(), points = 1, percentage = 100, passed = true`,
  ),
}

const submission = {
  submitted: set('submissions', `status = 'submitted', decided_at = null`),
  returned: set('submissions', `status = 'returned', decided_at = stoa.now()`),
  graded: set(
    'submissions',
    `status = 'graded', decided_at = stoa.now(), points = 1, max_points = 10, passing_points = 5, accepted = false`,
  ),
}

const certificate = {
  valid: set('certificates', `revoked_at = null`),
  revoked: set('certificates', `revoked_at = stoa.now(), revocation_reason = 'Issued twice'`),
  replaced: set('certificates', `replaced_by_id = id`),
  withdrawn: set('certificates', `withdrawn_at = stoa.now(), name = null`),
}

const lines = (refunded: string) =>
  `update order_lines set refunded_amount = ${refunded} where school_id = $school and order_id = $id`
const paid = set('orders', `status = 'paid', paid_at = stoa.now(), paid_total = total`)
const open = `paid_total = 0, paid_at = null, expires_at = stoa.now() + interval '2 days'`

const order = {
  pending: set('orders', `status = 'pending', ${open}`),
  processing: set('orders', `status = 'processing', ${open}`),
  paid: `${paid}; update orders set refunded_total = 0 where school_id = $school and id = $id; ${lines('0')}`,
  failed: set('orders', `status = 'failed', ${open}`),
  expired: set('orders', `status = 'expired', ${open}`),
  canceled: set('orders', `status = 'canceled', ${open}, canceled_at = stoa.now(), cancel_reason = 'buyer'`),
  partially_refunded: `${paid}; update orders set refunded_total = 1 where school_id = $school and id = $id; ${lines('1')}`,
  refunded: `${paid}; update orders set refunded_total = total where school_id = $school and id = $id; ${lines('amount')}`,
}

const subscription = {
  incomplete: set('subscriptions', `status = 'incomplete'`),
  trialing: set('subscriptions', `status = 'trialing', trial_end = stoa.now() + interval '3 days'`),
  active: set('subscriptions', `status = 'active'`),
  past_due: `${set('subscriptions', `status = 'past_due', past_due_since = stoa.now()`)};
    update subscription_periods set state = 'failed', settled_at = null
    where school_id = $school and subscription_id = $id
      and number = (select max(number) from subscription_periods where school_id = $school and subscription_id = $id)`,
  paused: set('subscriptions', `status = 'paused', paused_at = stoa.now(), pause_access = 'keep'`),
  completed: set('subscriptions', `status = 'completed', ends_at = stoa.now(), next_charge_at = null`),
  canceled: set(
    'subscriptions',
    `status = 'canceled', canceled_at = stoa.now(), ends_at = stoa.now(), next_charge_at = null`,
  ),
  expired: set('subscriptions', `status = 'expired', ends_at = stoa.now(), next_charge_at = null`),
}

const comment = {
  published: set('comments', `status = 'published'`),
  pending: set('comments', `status = 'pending'`),
  hidden: set('comments', `status = 'hidden', hidden_reason = 'Advertising'`),
  deleted: set('comments', `status = 'deleted', body = ''`),
}

const waiting = `confirmed_at = null, checked_in_at = null, hold_until = null, waiting_since = stoa.now()`
const held = `${waiting.replace('hold_until = null', `hold_until = stoa.now() + interval '1 hour'`)}, line_id = null`
const registration = {
  awaiting_payment: set('registrations', `status = 'awaiting_payment', ${held}`),
  awaiting_approval: set('registrations', `status = 'awaiting_approval', ${waiting}`),
  waitlisted: set('registrations', `status = 'waitlisted', ${waiting}`),
  offered: set('registrations', `status = 'offered', ${held}`),
  confirmed: set('registrations', `status = 'confirmed', confirmed_at = stoa.now(), checked_in_at = null`),
  checked_in: set('registrations', `status = 'checked_in', confirmed_at = stoa.now(), checked_in_at = stoa.now()`),
  cancelled: set(
    'registrations',
    `status = 'cancelled', cancelled_at = stoa.now(), cancelled_by = 'host', checked_in_at = null`,
  ),
  declined: set('registrations', `status = 'declined', checked_in_at = null`),
  expired: set('registrations', `status = 'expired', checked_in_at = null`),
}

const student = {
  invited: set('members', `status = 'invited'`),
  active: set('members', `status = 'active'`),
  suspended: set('members', `status = 'suspended', suspended_at = stoa.now()`),
  deleted: set('members', `status = 'deleted', deleted_at = stoa.now()`),
}

const host = `insert into hosts (host, school_id, purpose) values ('pages.crumb.example', $school, 'pages')`
const unchecked = 'file_count = null, byte_size = null, ignored_count = null'
const checked = `status = 'checked', file_count = 1, byte_size = 1, ignored_count = 0, checked_at = stoa.now()`

/** How each state of each resource is brought about, by the operation that reads it. */
export const resources: Readonly<Record<string, Resource>> = {
  getSchool: { states: there },
  getSellingSettings: { states: there },
  getCustomField: { states: there },
  getMember: { states: student },
  getMemberNote: { states: there },
  getSegment: { states: there },
  getWebhook: {
    states: {
      active: NONE,
      failing: set('webhooks', `status = 'failing', disabled_reason = null, failing_since = stoa.now()`),
      disabled: set('webhooks', `status = 'disabled', disabled_reason = 'by_person', failing_since = null`),
    },
  },
  getUpload: {
    row: 'setUploadContent',
    states: {
      created: NONE,
      received: set('uploads', `status = 'received', received_bytes = byte_size`),
      ready: set('uploads', `status = 'ready', object_key = 'x', content_type = 'text/plain', sha256 = sha256('x')`),
      rejected: set('uploads', `status = 'rejected', reason = 'type_not_allowed'`),
    },
  },
  getAppearanceDraft: { states: there },
  getLecturer: { states: { visible: NONE, hidden: set('lecturers', `visibility = 'hidden'`) } },
  getCertificateTemplate: { states: there },
  getCourse: { states: publishing('courses') },
  getReview: { states: review },
  getAccountReview: { states: review },
  getSection: {
    row: 'reorderSectionLessons',
    states: { there: NONE, archived: set('sections', 'archived_at = stoa.now()') },
  },
  getLesson: {
    states: {
      draft: set('lessons', `status = 'draft'`),
      published: set('lessons', `status = 'published'`),
      archived: set('lessons', 'archived_at = stoa.now()'),
    },
  },
  getAttachment: { states: there },
  getQuiz: { states: there },
  getAssignment: { states: there },
  getGroup: { states: there },
  getEnrollment: { states: there },
  getAccountEnrollment: { states: there },
  getStudent: { states: student, unseen: 'deleted' },
  getQuizAttempt: { states: attempt },
  getAccountQuizAttempt: { states: attempt },
  getSubmission: { states: submission },
  getExtension: { states: there },
  getAccountSubmission: { states: submission },
  getCertificate: { states: certificate },
  getAccountCertificate: { states: certificate },
  getCoupon: {
    states: {
      active: set('coupons', `active = true, archived_at = null, starts_on = null, ends_on = null`),
      off: set('coupons', 'active = false'),
      scheduled: set('coupons', `starts_on = '2100-01-01', ends_on = null`),
      over: set('coupons', `ends_on = '2020-01-01', starts_on = null`),
      used_up: set('coupons', 'max_redemptions = 1, taken = 1, starts_on = null, ends_on = null'),
      archived: set('coupons', 'archived_at = stoa.now()'),
    },
  },
  getDigitalProduct: { states: product },
  getMembershipPlan: {
    states: {
      draft: set('membership_plans', `status = 'draft'`),
      active: set('membership_plans', `status = 'active', published_at = stoa.now()`),
      archived: set('membership_plans', `status = 'archived'`),
    },
  },
  getForm: {
    states: {
      draft: set('forms', `status = 'draft', published_version = null, published_at = null`),
      published: NONE,
      closed: set('forms', `status = 'closed'`),
      deleted: set('forms', 'deleted_at = stoa.now()'),
    },
  },
  getFormSubmission: {
    states: {
      received: set('form_submissions', `status = 'received'`),
      suspected: set('form_submissions', `status = 'suspected'`),
      spam: set('form_submissions', `status = 'spam'`),
    },
  },
  getOrder: { states: order },
  getAccountOrder: { states: order },
  getSubscription: {
    states: subscription,
    row: 'setSubscriptionCode',
    requests: { cancelSubscription: { body: { at: 'period_end', refund: 'none' } } },
  },
  getAccountSubscription: {
    states: subscription,
    requests: {
      setAccountSubscriptionPrice: {
        body: { price_id: exampleFrom('prc', 'listPlanPrices', { having: { interval: 'month' } }), when: 'period_end' },
      },
    },
  },
  getComment: { states: comment },
  getAccountComment: { states: comment },
  getPage: {
    states: {
      draft: set('pages', `status = 'draft', publish_at = null, published_version = null`),
      scheduled: set(
        'pages',
        `status = 'scheduled', publish_at = stoa.now() + interval '1 day', published_version = null`,
      ),
      published: set(
        'pages',
        `status = 'published', publish_at = null, published_at = stoa.now(), published_version = version`,
      ),
    },
  },
  getDeployment: {
    states: {
      uploaded: set('page_deployments', `status = 'uploaded', ${unchecked}, promoted_at = null, checked_at = null`),
      refused: set('page_deployments', `status = 'refused', ${unchecked}, promoted_at = null, checked_at = stoa.now()`),
      checked: set('page_deployments', checked),
      preview: `${set('page_deployments', checked)}; ${host}`,
      live: `${set('page_deployments', `${checked}, promoted_at = stoa.now()`)};
        update pages p set live_deployment_id = d.id from page_deployments d where d.school_id = $school and d.id = $id and p.id = d.page_id`,
      superseded: `${set('page_deployments', `${checked}, promoted_at = stoa.now()`)}; ${host}`,
    },
  },
  getPost: { states: publishing('posts') },
  getMemberImport: { states: anImport },
  getEnrollmentImport: { states: anImport },
  getEvent: {
    states: {
      draft: set('events', `status = 'draft', published_at = null`),
      published: set('events', `status = 'published', published_at = stoa.now()`),
      cancelled: set('events', `status = 'cancelled', cancelled_at = stoa.now()`),
    },
  },
  getOccurrence: {
    states: {
      scheduled: NONE,
      cancelled: `${set('occurrences', `status = 'cancelled', cancelled_at = stoa.now()`)};
        update registrations set status = 'cancelled', cancelled_at = stoa.now(), cancelled_by = 'event', checked_in_at = null, hold_until = null
        where school_id = $school and occurrence_id = $id`,
    },
  },
  getAccountRegistration: { states: registration },
  getRegistration: { states: registration },
  getAccount: { states: there },
}

/** The refusals of operations that come from other rows, which only a dry run finds. */
export const refusedByOthers: Readonly<Record<string, readonly string[]>> = {
  deleteCourse: ['course_in_use'],
  deleteDigitalProduct: ['product_in_use'],
  deleteMembershipPlan: ['plan_in_use'],
  deleteLecturer: ['sole_lecturer'],
  deleteEvent: ['event_in_use'],
  unpublishEvent: ['event_in_use'],
  completeAccountEnrollment: ['not_complete'],
  deleteCertificateTemplate: ['certificate_template_in_use'],
}
