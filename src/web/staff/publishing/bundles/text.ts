import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'

const words = texts.staff.bundles

/** The texts of the pages of deployments, in every language; `{…}` is filled in. */
export const bundlesText = texts.staff.bundles.common

/** What is wrong with an archive, for people. */
export const problemTexts: Readonly<Record<string, Phrase>> = texts.staff.bundles.problem

/** The sentences for refusals on these pages. */
export const bundleRefusals = {
  ...fileRefusals,
  'invalid_body file': words.bundleRefusals['invalid_body file'],
  'invalid_body file_id': words.bundleRefusals['invalid_body file_id'],
  precondition_failed: words.bundleRefusals.precondition_failed,
  pages_host_missing: bundlesText.noHostRefused,
  page_not_static: words.bundleRefusals.page_not_static,
  too_many_deployments: words.bundleRefusals.too_many_deployments,
  invalid_state: words.bundleRefusals.invalid_state,
} as const
