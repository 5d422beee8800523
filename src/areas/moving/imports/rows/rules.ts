import type { FieldError } from '#src/contract/problem.ts'

type Findings = {
  readonly errors: readonly FieldError[]
  readonly notices: readonly FieldError[]
  readonly reason: string | null
}

/** Why a row has its result, in one line: its errors, its notices, and why it was not undone. */
export const formatFindings = ({ errors, notices, reason }: Findings): string =>
  [
    ...[...errors, ...notices].map(({ pointer, code, message }) =>
      `${code}: ${pointer.replaceAll('/', ' ').trim()} ${message}`.replace(':  ', ': '),
    ),
    ...(reason === null ? [] : [reason]),
  ].join('; ')
