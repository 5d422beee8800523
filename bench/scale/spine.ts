/** The number of courses that the enrollments of a large school are spread over; half of them are in the first one. */
export const COURSES = 200

/** The years over which the rows of a large school are spread; the last row is from the instant of the fill. */
export const YEARS = 10

const KINDS = [
  'member',
  'enrollment',
  'entitlement',
  'order',
  'order_line',
  'payment',
  'refund',
  'dispute',
  'invoice',
  'credit_note',
  'redemption',
  'subscription',
  'period',
  'certificate',
  'review',
  'comment',
  'registration',
  'attempt',
  'submission',
  'completion',
  'form_submission',
  'audit',
  'fact',
  'mail',
  'note',
  'course',
  'section',
  'lesson',
  'price',
  'hold',
  'link',
  'download',
  'event',
] as const

/** A kind of rows, each with ids of its own. */
export type Kind = (typeof KINDS)[number]

/** The SQL of the UUIDv7 of a row of a kind, from a row `s` of the spine, so that ids follow the order of creation. */
export const readId = (kind: Kind, from = 's'): string =>
  `(${from}.stem || '7${KINDS.indexOf(kind).toString(16).padStart(3, '0')}8' || ${from}.tail)::uuid`

const FIRST = 'ana bento clara davi elsa fabio gil heitor ines joao karl lara maria noa olga paulo rita sara tomas vera'
const LAST =
  'alves braga costa dias esteves faria gomes horta ines jardim lima mota neves okafor pires ramos silva tavares'

const formatWords = (text: string): string => `'{${text.split(' ').join(',')}}'::text[]`

const STEM = (at: string): string => `lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')`
const TAIL = (n: string): string => `lpad(to_hex(${n}), 15, '0')`

// A number from 0 to 2^31 that does not depend on any order.
const chance = (n: string, seed: number): string => `(hashint8extended(${n}, ${seed}) & 2147483647)::integer`

/** The first course is that of the demo data; a course has one section, one lesson and one price. */
const COURSE_SPINE = `
  create temporary table course_spine on commit preserve rows as
  select k, at, stem, tail,
    case when k = 0 then demo.course_id else ${readId('course', 'c')} end as course_id,
    case when k = 0 then demo.section_id else ${readId('section', 'c')} end as section_id,
    case when k = 0 then demo.lesson_id else ${readId('lesson', 'c')} end as lesson_id,
    case when k = 0 then demo.price_id else ${readId('price', 'c')} end as price_id
  from (
    select k, at, ${STEM('at')} as stem, ${TAIL('k')} as tail
    from generate_series(0, ${COURSES - 1}) as k,
      lateral (select date_trunc('milliseconds', stoa.now() - interval '${YEARS} years' + k * interval '1 day') as at) as made
  ) as c, (
    select l.course_id, l.section_id, l.id as lesson_id, p.id as price_id
    from lessons l join courses c on c.school_id = $1 and c.id = l.course_id and c.slug = 'sourdough-from-scratch'
    join course_prices p on p.school_id = $1 and p.course_id = c.id
    where l.school_id = $1 and l.type = 'text' order by l.position, p.id limit 1
  ) as demo`

// Statuses are those that the rules of the areas leave at the ages of the rows: what is pending is new.
const SPINE = `
  create temporary table spine on commit preserve rows as
  select s.*, c.k, c.course_id, c.lesson_id, c.price_id,
    ${readId('member')} as member_id,
    case when s.b % 100 < 80 then 'paid'
      when s.at > stoa.now() - interval '30 days' and s.b % 100 < 86 then 'pending'
      when s.at > stoa.now() - interval '30 days' and s.b % 100 < 88 then 'processing'
      when s.b % 100 < 90 then 'failed'
      when s.b % 100 < 96 then 'expired'
      else 'canceled' end as order_status,
    case when s.a % 20 = 0 then 'digital_product' when s.a % 10 = 1 then 'membership_plan' else 'course' end as item_type,
    (1 + n * 800 / $2::bigint) as changed_in
  from (
    select n, at, ${chance('n', 1)} as a, ${chance('n', 2)} as b, ${STEM('at')} as stem, ${TAIL('n')} as tail,
      'm' || substr(hash, 20, 10) || '@people' || n % 40 || '.example' as email,
      (first)[1 + n % cardinality(first)] || ' ' || (last)[1 + (n / 20) % cardinality(last)] || ' ' || substr(hash, 24, 6)
        as name
    from (select ${formatWords(FIRST)} as first, ${formatWords(LAST)} as last, stoa.now() as now) as known,
      generate_series(1, $2::bigint) as n,
      lateral (
        select md5(n::text) as hash, date_trunc('milliseconds',
          now - interval '${YEARS} years' + n * (interval '${YEARS} years' / $2::bigint)) as at) as made
  ) as s join course_spine c on c.k = case when s.a % 2 = 0 then 0 else s.b % ${COURSES} end`

/**
 * The statements that create the temporary tables that all fills read: `course_spine`, a row for each course, and `spine`, a row
 * for each member, enrollment and order, with their instants and ids. Their parameters are the school and the number of rows.
 */
export const SPINES: readonly string[] = [
  COURSE_SPINE,
  SPINE,
  'create index on spine (n)',
  'analyze spine',
  'analyze course_spine',
]

/** Rows of a table, made from rows of a spine by SQL. */
export type Fill = {
  readonly table: string
  /** Whether triggers write these rows, so that they are filled in only where no trigger runs. */
  readonly isKeptByTriggers?: true
  /** The condition of the row of the demo data whose other columns are copied; without one they have their defaults. */
  readonly like?: string
  /** The spine, as `s`, with what is joined to it, and the condition. */
  readonly from: string
  /** The SQL of columns, from `s` and from the copied row `t`. */
  readonly set: Readonly<Record<string, string>>
}

/** The SQL of a text as JSON members, for columns of the type jsonb. */
export const object = (members: Readonly<Record<string, string>>): string =>
  `jsonb_build_object(${Object.entries(members)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')})`

/**
 * The SQL of the words of the name and the address of a row `s` of the spine, each with the prefix `p.prefix`; splitting the text,
 * as the triggers do, takes some times as long.
 */
export const NAME_WORDS = `array[p.prefix || split_part(s.name, ' ', 1), p.prefix || split_part(s.name, ' ', 2),
    p.prefix || split_part(s.name, ' ', 3), p.prefix || split_part(s.email, '@', 1),
    p.prefix || split_part(split_part(s.email, '@', 2), '.', 1), p.prefix || 'example']`
