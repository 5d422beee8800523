import { addContent, listLessons } from '#src/areas/curriculum/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'

// The texts of the demo lessons, by the names of the lessons.
const texts: Readonly<Record<string, string>> = {
  'What lives in it': `A starter is a small zoo: **wild yeast** makes the gas, *lactic bacteria* make the acid.

1. Mix 50 g of rye flour with 50 g of water.
2. Wait a day at 24 °C.
3. Throw half of it away and feed it again.

| day | smell | height |
| --- | --- | --- |
| 1 | wet flour | none |
| 3 | cheese, do not worry | a little |
| 7 | yoghurt and apples | double |`,
  Feeding: `Feed it **1 : 1 : 1** by weight, once a day at room temperature and once a week in the cold.

> If it floats in water, it can raise a loaf.`,
  Folding: 'Stretch, fold, turn. Four times in the first hour, then leave it alone.',
  'Heat and steam': `The crust sets when the surface dries. **Steam delays that**, so that the loaf can rise.

- 250 °C with the lid on for 20 minutes
- 220 °C without it for 20 more`,
  'Bake with Carla': 'Bring a dough that has rested overnight.',
}

/** Writes the texts of the lessons of a demo course. */
export const writeLessons = async (
  demo: { readonly db: Db; readonly school: School; readonly now: Date },
  courseId: string,
): Promise<void> => {
  for (const { id, name } of await listLessons(demo.db, demo.school.id, courseId)) {
    const body = texts[name]
    if (body !== undefined) await addContent(demo, id, { body })
  }
}
