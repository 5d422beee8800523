import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { AnswerKey, QuestionContent, QuestionValues } from './rules.ts'

/** The current version of a question, without its correct answers. */
type QuestionContentRow = QuestionContent & { readonly id: string; readonly version: number }

/** A question with its correct answers. */
export type QuestionRow = Recorded<QuestionValues> & {
  readonly id: string
  readonly version: number
  readonly position: number
  readonly archived_at: Date | null
}

const contentColumns = sql`v.kind, v.grading, v.prompt, v.points, v.choices`
const keys = sql`k.correct, k.accepted_answers, k.value, k.tolerance, k.explanation`

/** The questions of a quiz that are not archived, in their order, without their correct answers. */
export const listQuestionContents = (db: Db, schoolId: string, quizId: string) =>
  db.all(sql<QuestionContentRow>`
    select q.id, q.version, ${contentColumns} from quiz_questions q
      join question_versions v on v.school_id = ${schoolId} and v.question_id = q.id and v.version = q.version
    where q.school_id = ${schoolId} and q.quiz_id = ${quizId} and q.archived_at is null order by q.position, q.id`)

/** The questions of a quiz in their order, with their correct answers, archived ones too. */
export const listQuestions = (db: Db, schoolId: string, quizId: string) =>
  db.all(sql<QuestionRow>`
    select q.id, q.version, q.position, q.archived_at, q.revision, q.created_at, q.updated_at, ${contentColumns}, ${keys}
    from quiz_questions q
      join question_versions v on v.school_id = ${schoolId} and v.question_id = q.id and v.version = q.version
      join question_keys k on k.school_id = ${schoolId} and k.question_id = q.id and k.version = q.version
    where q.school_id = ${schoolId} and q.quiz_id = ${quizId} order by q.position, q.id`)

/** A version of a question. */
export type VersionRef = { readonly question_id: string; readonly version: number }

const named = (refs: readonly VersionRef[]): Statement => sql`
  jsonb_to_recordset(${JSON.stringify(refs)}::jsonb) as r (question_id uuid, version integer)`

/** Some versions of questions without their correct answers, by the question's id. */
export const findQuestionContents = async (
  db: Db,
  schoolId: string,
  refs: readonly VersionRef[],
): Promise<ReadonlyMap<string, QuestionContent>> => {
  const rows = await db.all(sql<QuestionContent & { id: string }>`
    select r.question_id as id, ${contentColumns} from ${named(refs)}
      join question_versions v on v.school_id = ${schoolId} and v.question_id = r.question_id and v.version = r.version`)
  return new Map(rows.map(({ id, ...values }) => [id, values]))
}

/** Some versions of questions without their correct answers, perhaps several of one question. */
export const listVersionContents = (db: Db, schoolId: string, refs: readonly VersionRef[]) =>
  db.all(sql<VersionRef & QuestionContent>`
    select v.question_id, v.version, ${contentColumns} from (select distinct question_id, version from ${named(refs)}) r
      join question_versions v on v.school_id = ${schoolId} and v.question_id = r.question_id and v.version = r.version`)

/**
 * The correct answers of some versions of questions, by the question's id; never for those who may not see them yet.
 */
export const findKeys = async (
  db: Db,
  schoolId: string,
  refs: readonly VersionRef[],
): Promise<ReadonlyMap<string, AnswerKey>> => {
  const rows = await db.all(sql<AnswerKey & { id: string }>`
    select r.question_id as id, ${keys} from ${named(refs)}
      join question_keys k on k.school_id = ${schoolId} and k.question_id = r.question_id and k.version = r.version`)
  return new Map(rows.map(({ id, ...values }) => [id, values]))
}

/**
 * Some versions of questions with their correct answers, by the question's id; never for those who may not see them
 * yet.
 */
export const findKeyed = async (
  db: Db,
  schoolId: string,
  refs: readonly VersionRef[],
): Promise<ReadonlyMap<string, { readonly question: QuestionContent; readonly key: AnswerKey }>> => {
  const rows = await db.all(sql<QuestionValues & { id: string }>`
    select r.question_id as id, ${contentColumns}, ${keys} from ${named(refs)}
      join question_versions v on v.school_id = ${schoolId} and v.question_id = r.question_id and v.version = r.version
      join question_keys k on k.school_id = ${schoolId} and k.question_id = r.question_id and k.version = r.version`)
  return new Map(
    rows.map(({ id, kind, grading, prompt, points, choices, ...key }) => [
      id,
      { question: { kind, grading, prompt, points, choices }, key },
    ]),
  )
}

/** A version to be stored. */
type NewVersion = QuestionValues & { readonly id: string; readonly version: number }

/** Stores the positions and versions of questions and restores archived ones; those in `touched` get a new revision. */
export const putQuestions = (
  db: Db,
  schoolId: string,
  quizId: string,
  questions: readonly { readonly id: string; readonly position: number; readonly version: number }[],
  touched: readonly string[],
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into quiz_questions as q (school_id, id, quiz_id, position, version, created_at, updated_at)
    select ${schoolId}, p.id, ${quizId}, p.position, p.version, now, now
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as p (id uuid, position integer, version integer),
      clock
    on conflict (school_id, id) do update set position = excluded.position, version = excluded.version, archived_at = null,
      revision = q.revision + case when q.id = any (${touched}::uuid[]) then 1 else 0 end,
      updated_at = case when q.id = any (${touched}::uuid[]) then excluded.updated_at else q.updated_at end`)

/** Stores new versions of stored questions. */
export const insertVersions = async (db: Db, schoolId: string, versions: readonly NewVersion[]): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into question_versions (school_id, question_id, version, kind, grading, prompt, points, choices, created_at)
    select ${schoolId}, p.id, p.version, p.kind, p.grading, p.prompt, p.points, p.choices, now
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) as p (id uuid, version integer, kind text, grading text,
        prompt text, points integer, choices jsonb), clock`)
  await db.run(sql`
    insert into question_keys (school_id, question_id, version, correct, accepted_answers, value, tolerance, explanation)
    select ${schoolId}, p.id, p.version, p.correct, p.accepted_answers, p.value, p.tolerance, p.explanation
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) as p (id uuid, version integer, correct uuid[],
      accepted_answers text[], value text, tolerance text, explanation text)`)
}

/** Archives questions of a quiz. */
export const archiveQuestions = (db: Db, schoolId: string, quizId: string, ids: readonly string[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update quiz_questions set archived_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and quiz_id = ${quizId} and id = any (${ids}::uuid[])`)
