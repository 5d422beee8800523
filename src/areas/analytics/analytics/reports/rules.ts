import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.analytics.reports.rules

/** A report: some metrics side by side over a range of days, for each combination of their dimensions. */
export type Report = {
  readonly name: string
  readonly title: Phrase
  readonly about: Phrase
  /** The dimensions of a row. */
  readonly by: readonly string[]
  /** The metrics of a row; the first one decides the order. */
  readonly metrics: readonly string[]
  /** Its rows are in the order of their dimensions, and count everything until the last day. */
  readonly isSinceBeginning?: true
  /** Which metric of a row is divided by which. */
  readonly share?: { readonly of: string; readonly among: string }
}

/** How much a value is of another one, in percent with one decimal place; null of nothing. */
export const computePercentage = (value: number, among: number): string | null =>
  among === 0 ? null : String(Math.round((value / among) * 1000) / 10)

/** The reports. One with a metric for staff is for staff. */
export const reports: readonly Report[] = [
  {
    name: 'revenue_by_item',
    title: words.reports.title,
    about: words.reports.about,
    by: ['item'],
    metrics: ['sales', 'refunds', 'sales_tax'],
  },
  {
    name: 'revenue_by_campaign',
    title: words.reports.revenueByCampaign,
    about: words.reports.ordersByTheCampaignIn,
    by: ['campaign'],
    metrics: ['sales', 'orders_paid'],
  },
  {
    name: 'tax',
    title: texts.words.taxes,
    about: words.reports.salesAndTheirTaxBy,
    by: ['country', 'tax_rate'],
    metrics: ['sales', 'sales_tax'],
  },
  {
    name: 'coupons',
    title: texts.words.coupons,
    about: words.reports.howOftenEachCouponWas,
    by: ['coupon'],
    metrics: ['discounts', 'coupon_orders'],
  },
  {
    name: 'failed_payments',
    title: texts.words.failedPayments,
    about: words.reports.paymentsThatFailedByProvider,
    by: ['provider', 'code'],
    metrics: ['failed_payments'],
  },
  {
    name: 'subscriptions',
    title: texts.words.subscriptions,
    about: words.reports.theMonthlyRecurringRevenueOf,
    by: ['item'],
    metrics: [
      ...['mrr', 'new_mrr', 'expansion_mrr', 'contraction_mrr', 'churned_mrr', 'reactivated_mrr'],
      ...['paying_subscriptions', 'new_subscriptions', 'churned_subscriptions'],
    ],
  },
  {
    name: 'subscription_retention',
    title: words.reports.retentionByMonthOfStart,
    about: words.reports.ofTheSubscriptionsThatWere,
    by: ['started_in'],
    metrics: ['new_subscriptions', 'paying_subscriptions', 'new_mrr', 'mrr'],
    share: { of: 'paying_subscriptions', among: 'new_subscriptions' },
    isSinceBeginning: true,
  },
  {
    name: 'event_attendance',
    title: words.reports.eventAttendance,
    about: words.reports.registrationsCheckInsNoShows,
    by: ['event', 'occurrence'],
    metrics: ['registrations', 'check_ins', 'no_shows', 'cancelled_registrations'],
    share: { of: 'check_ins', among: 'registrations' },
  },
  {
    name: 'course_completion',
    title: words.reports.courseCompletion,
    about: words.reports.enrollmentsCompletedLessonsCompletedCourses,
    by: ['course'],
    metrics: ['enrollments', 'lesson_completions', 'completions', 'certificates'],
    share: { of: 'completions', among: 'enrollments' },
  },
  {
    name: 'lesson_funnel',
    title: texts.words.lessons,
    about: words.reports.howManyStudentsCompletedEach,
    by: ['course', 'lesson'],
    metrics: ['lesson_completions', 'submissions'],
  },
  {
    name: 'quiz_results',
    title: words.reports.quizResults,
    about: words.reports.gradedAttemptsAtEachQuiz,
    by: ['course', 'lesson', 'outcome'],
    metrics: ['graded_attempts'],
  },
  {
    name: 'downloads',
    title: texts.words.downloads,
    about: words.reports.downloadsOfEachDigitalProduct,
    by: ['product'],
    metrics: ['downloads'],
  },
  {
    name: 'form_conversion',
    title: words.reports.formConversion,
    about: words.reports.howOftenEachFormWas,
    by: ['form'],
    metrics: ['form_views', 'form_submissions'],
    share: { of: 'form_submissions', among: 'form_views' },
  },
  {
    name: 'post_readers',
    title: words.reports.postReaders,
    about: words.reports.howOftenEachPostWas,
    by: ['post'],
    metrics: ['post_views'],
  },
]
