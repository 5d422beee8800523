import type { Database } from '#src/contract/db.ts'
import { insertMember } from '#src/identity/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import { backdate, DAY } from '../clock.ts'

// In the order in which they joined.
const people = [
  { name: 'Alice Brito', at: 'alice', locale: 'pt-PT' },
  { name: 'Bruno Sá', at: 'bruno', locale: 'pt-PT' },
  { name: 'Clara Weiß', at: 'clara', locale: 'de' },
  { name: 'Дмитро Коваленко', at: 'dmytro', locale: 'uk' },
  { name: 'Elena Rossi', at: 'elena', locale: 'it' },
  { name: 'Filipe Maia', at: 'filipe', locale: 'pt-BR' },
  { name: 'Γιώργος Παππάς', at: 'giorgos', locale: 'el' },
  { name: 'Hugo Vaz', at: 'hugo', locale: 'pt-PT' },
  { name: 'Irene Costa', at: 'irene', locale: 'es' },
  { name: 'Jonas Berg', at: 'jonas', locale: 'sv' },
  { name: 'كريم حداد', at: 'karim', locale: 'ar' },
  { name: 'Lúcia Prata', at: 'lucia', locale: 'pt-PT' },
  { name: 'Marta Nowak', at: 'marta', locale: 'pl' },
  { name: '李梅', at: 'mei', locale: 'zh' },
  { name: 'Nuno Reis', at: 'nuno', locale: 'pt-PT' },
  { name: 'Ольга Петрова', at: 'olga', locale: 'bg' },
  { name: 'Pedro Luz', at: 'pedro', locale: 'pt-PT' },
  { name: 'प्रिया शर्मा', at: 'priya', locale: 'hi' },
  { name: 'Quentin Lefèvre', at: 'quentin', locale: 'fr' },
  { name: 'Rosa Jiménez', at: 'rosa', locale: 'es' },
  { name: 'Søren Dahl', at: 'soren', locale: 'da' },
  { name: 'נועה לוי', at: 'noa', locale: 'he' },
  { name: 'Teresa Campos', at: 'teresa', locale: 'pt-PT' },
  { name: 'Uğur Yılmaz', at: 'ugur', locale: 'tr' },
  { name: 'Vera Novák', at: 'vera', locale: 'cs' },
  { name: '김서연', at: 'seoyeon', locale: 'ko' },
  { name: 'William O’Neill', at: 'william', locale: 'en-IE' },
  { name: 'Ximena Ortega', at: 'ximena', locale: 'es-MX' },
  { name: 'Yara Monteiro', at: 'yara', locale: 'pt-BR' },
  { name: 'Zoë de Vries', at: 'zoe', locale: 'nl' },
  { name: 'ณัฐพร สุขใจ', at: 'nattaporn', locale: 'th' },
  { name: 'Amara Eze', at: 'amara', locale: 'en-NG' },
  { name: 'ნინო ბერიძე', at: 'nino', locale: 'ka' },
  { name: 'Catarina Lobo', at: 'catarina', locale: 'pt-PT' },
  { name: 'Đặng Minh Anh', at: 'minhanh', locale: 'vi' },
  { name: 'Էլեն Պետրոսյան', at: 'elen', locale: 'hy' },
] as const

const DAYS = 88

// More join from week to week, at all hours of a day.
const minutesAgo = (index: number): number =>
  Math.round((DAYS + 1 - DAYS * (index / (people.length - 1)) ** 0.8) * DAY) + ((index * 397) % 840)

/** Somebody who joined the demo and how long ago, in minutes; the locale is that of their mails. */
export type Learner = {
  readonly name: string
  readonly email: string
  readonly locale: string
  readonly joined: number
}

/** The people who joined the demo over the last three months, the first of them first. */
export const learners: readonly Learner[] = people.map(({ name, at, locale }, index) => ({
  name,
  email: `${at}@learners.example`,
  locale,
  joined: minutesAgo(index),
}))

/** Adds the learners as members of a school; those who are there already stay as they are. */
export const createDemoLearners = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    for (const { joined, ...person } of learners) {
      const then = await backdate({ db, now }, joined)
      const id = newUuid(then.now.getTime())
      await insertMember(then.db, schoolId, { ...person, id, role: 'member', emailVerified: true })
    }
  })
