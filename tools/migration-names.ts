import { lineAt } from './source.ts'
import { fileViolation, type Violation } from './violations.ts'

const migrationName = /^migrations\/\d{4}(?:_[a-z0-9]+)+\.sql$/
const rerunFiles = ['migrations/grants.sql']

// Numbers of migrations of areas that are built side by side and may land in any order.
const reservedMigrations = [
  '0036_bundles_and_holds',
  '0037_school_selling',
  '0038_seat_reservations',
  '0039_mail_rows',
  '0040_search_weights',
  '0041_uploads_and_hosts',
  '0042_anonymous_writes',
  '0043_site',
  '0044_payments',
  '0045_orders',
  '0046_coupons',
  '0047_products',
  '0048_plans',
  '0049_subscriptions',
  '0050_stripe',
  '0051_appearance',
  '0052_pages',
  '0053_posts',
  '0054_page_bundles',
  '0055_forms',
  '0056_events',
  '0057_analytics',
  '0059_invoices',
  '0060_order_mails',
  '0061_checkouts',
  '0062_registrations',
  '0063_comments',
  '0070_view_counts',
].map(name => `migrations/${name}.sql`)

const parseNumber = (path: string): number => Number(/(\d{4})_/.exec(path)?.[1])
const reservedNumbers = new Set(reservedMigrations.map(parseNumber))

// The numbers of new migrations, in their order.
function* freeNumbers(): Generator<number, never> {
  for (let number = 1; ; number++) if (!reservedNumbers.has(number)) yield number
}

const isNumbered = (path: string): boolean => migrationName.test(path) && !reservedMigrations.includes(path)
const digits = (number: number): string => String(number).padStart(4, '0')

/** The number of the next migration as four digits; numbers that are reserved for areas are left out. */
export const nextMigrationNumber = (paths: readonly string[]): string => {
  const numbers = freeNumbers()
  for (const _ of paths.filter(isNumbered)) numbers.next()
  return digits(numbers.next().value)
}

const TRIGGER = /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b[\s\S]*?\bexecute\b/gi
const CONDITION = 'create function stoa.is_loading()'

/** Triggers that also fire while rows are loaded, in the migrations since the one that made the condition. */
export const triggersWhileLoading = (
  migrations: readonly { readonly path: string; readonly text: string }[],
): Violation[] => {
  const since = migrations.findIndex(({ text }) => text.includes(CONDITION))
  if (since === -1) return []
  return migrations.slice(since + 1).flatMap(({ path, text }) =>
    [...text.matchAll(TRIGGER)]
      .filter(([trigger]) => !/\bnot\s+stoa\.is_loading\(\)/i.test(trigger))
      .map(({ index }) => ({
        file: path,
        line: lineAt(text, index),
        message: 'a trigger has the condition "when (not stoa.is_loading())"',
      })),
  )
}

/** Migrations with a wrong name, or with neither a reserved name nor the next number that is not reserved. */
export const migrationNames = (paths: readonly string[]): Violation[] => {
  const misnamed = paths.filter(path => !migrationName.test(path) && !rerunFiles.includes(path))
  const numbers = freeNumbers()
  return [
    ...misnamed.flatMap(path => fileViolation(path, 'the name of a migration is NNNN_snake_case.sql')),
    ...paths.filter(isNumbered).flatMap(path => {
      const next = numbers.next().value
      return parseNumber(path) === next ? [] : fileViolation(path, `the next migration is number ${digits(next)}`)
    }),
  ]
}
