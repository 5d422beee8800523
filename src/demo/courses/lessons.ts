import { addContent, listLessons } from '#src/areas/courses/index.ts'
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
  'Weigh and stir': `Weigh everything; cups lie.

| what | how much |
| --- | --- |
| white flour | 500 g |
| water, lukewarm | 360 g |
| salt | 10 g |
| dry yeast | 4 g |

Stir until no dry flour is left, cover the bowl, and **go away for three hours**.`,
  'Let it rise': 'It is ready when it has doubled and trembles as you move the bowl.',
  'Shape and bake': 'Fold the four sides over, turn it, and bake it at 230 °C in a pot with a lid for 30 minutes.',
  'What it eats': 'Flour and water in equal weights. **Rye wakes it, white flour keeps it calm.**',
  'A week in the cold':
    'Feed it, wait an hour, then put it in the fridge. It sleeps for a week, and for three if it must.',
  'A poolish overnight':
    'Half of the flour, the same weight of water, a pinch of yeast. *In the morning it smells of walnuts.*',
  'Cold hands': `Butter melts at 32 °C, and your hands are warmer. Work in the morning, and **rest the dough in the fridge after each turn**.

> If the butter shows through, stop and wait.`,
  'When they are ready': 'They tremble when you shake the tray. Then 200 °C until they are darker than you dare.',
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
