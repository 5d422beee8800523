import type { Static } from 'typebox'
import { RegistrationPage } from '#src/areas/events/index.ts'
import { EnrollmentPage, Progress } from '#src/areas/learning/index.ts'
import { SubscriptionPage } from '#src/areas/memberships/index.ts'
import { AccountDownloadPage, OrderPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import type { Reads } from './reads.ts'

/** An enrollment of the person. */
export type EnrollmentView = Encoded<Static<typeof EnrollmentPage>>['data'][number]
/** What the person has done in a course. */
export type ProgressView = Encoded<Static<typeof Progress>>
/** A product that the person can download. */
export type OwnProductView = Encoded<Static<typeof AccountDownloadPage>>['data'][number]
/** A subscription of the person. */
export type SubscriptionView = Encoded<Static<typeof SubscriptionPage>>['data'][number]
/** A registration of the person. */
export type RegistrationView = Encoded<Static<typeof RegistrationPage>>['data'][number]
/** An order of the person. */
export type OrderView = Encoded<Static<typeof OrderPage>>['data'][number]

/** The courses in which somebody learns now, by their ids. */
export type Enrolled = ReadonlyMap<string, EnrollmentView>

// The statuses in which nobody has a seat, or waits for one.
const OVER: readonly RegistrationView['status'][] = ['cancelled', 'declined', 'expired']

/**
 * What holds for the person who is signed in, read when a page shows it and kept for nobody. `reads` are those of the site as
 * this person. Throws the refusals of the operations.
 */
export const createOwn = (performAs: CallAsPerson, person: SignedInPerson, reads: Reads) => {
  const listEnrolled = async (): Promise<Enrolled> => {
    const query = [
      ['state', 'active'],
      ['limit', '100'],
    ] as const
    const call = { operation: 'listAccountEnrollments', query, expand: ['course'], returns: EnrollmentPage }
    const { data } = await performAs<typeof EnrollmentPage>(person, call)
    return new Map(data.map(enrollment => [enrollment.course_id, enrollment]))
  }
  const listWaiting = async (): Promise<readonly OrderView[]> => {
    // Few of somebody's orders may wait at once.
    const query = [['status', 'pending']] as const
    const call = { operation: 'listAccountOrders', query, returns: OrderPage }
    return (await performAs<typeof OrderPage>(person, call)).data
  }
  return {
    reads,
    /** The newest 100 courses in which the person learns now. */
    enrolled: listEnrolled,
    /** The orders that wait for the payment of the person, the newest first. */
    waiting: listWaiting,
    /** The order for something that waits for the payment of the person. */
    findWaiting: async (itemId: string): Promise<OrderView | undefined> =>
      (await listWaiting()).find(({ lines }) => lines.some(({ item }) => item.id === itemId)),
    /** The enrollment in a course, whether or not it gives access now. */
    findEnrollment: async (courseId: string): Promise<EnrollmentView | undefined> => {
      const call = { operation: 'listAccountEnrollments', query: [['course_id', courseId]] as const }
      return (await performAs<typeof EnrollmentPage>(person, { ...call, returns: EnrollmentPage })).data[0]
    },
    /** What the person has done of a course in which they are enrolled. */
    progress: (enrollmentId: string): Promise<ProgressView> =>
      performAs<typeof Progress>(person, {
        operation: 'getAccountProgress',
        params: { enrollment_id: enrollmentId },
        returns: Progress,
      }),
    /** A product, if the person can download it now. */
    findProduct: async (productId: string): Promise<OwnProductView | undefined> => {
      const call = { operation: 'listAccountDownloads', query: [['product_id', productId]] as const }
      return (await performAs<typeof AccountDownloadPage>(person, { ...call, returns: AccountDownloadPage })).data[0]
    },
    /** The newest subscription to a plan that gives something now, or is paused. */
    findSubscription: async (planId: string): Promise<SubscriptionView | undefined> => {
      const call = { operation: 'listAccountSubscriptions', query: [['plan_id', planId]] as const }
      const { data } = await performAs<typeof SubscriptionPage>(person, { ...call, returns: SubscriptionPage })
      return data.find(({ access, status }) => access.state === 'active' || status === 'paused')
    },
    /** The seats of an event that the person has, waits for or has to pay. */
    registrations: async (eventId: string): Promise<readonly RegistrationView[]> => {
      const query = [
        ['event_id', eventId],
        ['limit', '100'],
      ] as const
      const call = { operation: 'listAccountRegistrations', query, returns: RegistrationPage }
      return (await performAs<typeof RegistrationPage>(person, call)).data.filter(
        ({ status }) => !OVER.includes(status),
      )
    },
  }
}

/** What holds for the person of one request. */
export type Own = ReturnType<typeof createOwn>
