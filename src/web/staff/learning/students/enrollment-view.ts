import type { Static } from 'typebox'
import type { CertificatePage, Enrollment, Explanation, Progress } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refused } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import type { Names } from '../../teaching/names.ts'
import type { AttemptEntry, WorkEntry } from '../grading/waiting.ts'

/** An enrollment as the page gets it. */
export type EnrollmentShown = Encoded<Static<typeof Enrollment>>

/** Why somebody has access to a course. */
type AccessShown = Encoded<Static<typeof Explanation>>

/** What the page of an enrollment shows. */
export type EnrollmentView = {
  readonly context: TeacherContext
  readonly enrollment: EnrollmentShown
  /** Undefined where the course was removed. */
  readonly progress: Encoded<Static<typeof Progress>> | undefined
  readonly works: readonly WorkEntry[]
  readonly attempts: readonly AttemptEntry[]
  /** Whether the person was invited and has not signed in. */
  readonly isInvited: boolean
  readonly access: AccessShown | undefined
  readonly certificates: Encoded<Static<typeof CertificatePage>>['data']
  readonly names: Names
  /** Names the forms that create something. */
  readonly formKey: string
  /** What was refused just now, with what was typed. */
  readonly refused: Refused | undefined
}

/** One reason for access. */
export type EntitlementShown = AccessShown['entitlements'][number]
