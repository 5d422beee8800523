/**
 * What a member reads about themselves that staff who see the school as them read too, and by which operation the same staff read
 * as much. Whatever is not here is refused to them: decision 273.
 */
export const viewedReads: Readonly<Record<string, string>> = {
  listAccountEnrollments: 'listEnrollments',
  getAccountProgress: 'getStudentProgress',
  listAccountCertificates: 'listCourseCertificates',
  listAccountSubmissions: 'listSubmissions',
  getAccountSubmission: 'getSubmission',
  listAccountQuizAttempts: 'listQuizAttempts',
  getAccountQuizAttempt: 'getQuizAttempt',
  listAccountDownloads: 'listProductHolders',
  listAccountOrders: 'listOrders',
  listAccountSubscriptions: 'listSubscriptions',
  listAccountRegistrations: 'listEventRegistrations',
  listAccountReviews: 'listReviews',
}
