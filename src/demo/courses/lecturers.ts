import { addLecturer } from '#src/areas/courses/index.ts'
import { anonymous } from '#src/contract/caller.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { DemoMedia } from '../files/media.ts'
import { people } from '../people/people.ts'
import { findMemberId } from '../queries.ts'

const CARLA = `Has fed the same starter since 2009. She learned to bake in her aunt’s village in the Minho, where the oven was lit once a week for everybody, and has run the bakery in the Rua do Forno with Ada since 2011.

She reads every assignment herself, usually at five in the morning.`

const GIL = `Makes croissants, and everything else that has butter in it. He comes as a guest in winter, when it is cold enough.`

/** The ids of the profiles of the lecturers. */
export type Lecturers = { readonly carla: string; readonly gil: string }

/** Adds the lecturers of the demo; with pictures also their portraits and more about them. */
export const addLecturers = async (
  { db, school }: TransactionContext,
  tick: () => Date,
  pictures: DemoMedia['pictures'] | undefined,
): Promise<Lecturers> => {
  const demo = { db, school, caller: anonymous }
  const memberId = await findMemberId(db, school.id, people.carla.email)
  const carla = await addLecturer(
    { ...demo, now: tick() },
    {
      display_name: people.carla.name,
      bio: pictures === undefined ? 'Has fed the same starter since 2009.' : CARLA,
      avatar_file_id: pictures?.carla ?? null,
      ...(memberId === undefined ? {} : { member_id: memberId }),
    },
  )
  const gil = await addLecturer(
    { ...demo, now: tick() },
    {
      display_name: 'Gil Tavares',
      bio: pictures === undefined ? 'Comes as a guest.' : GIL,
      avatar_file_id: pictures?.gil ?? null,
    },
  )
  return { carla: carla.id, gil: gil.id }
}
