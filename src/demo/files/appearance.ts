import { addAppearance, hasAppearance } from '#src/areas/files/index.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'

/** A look of an oven: the first that the school of the demo published. */
const OVEN = {
  footer: {
    text: 'Crumb & Crust, Rua do Forno 12, Lisboa',
    links: [],
    social: [{ service: 'instagram' as const, href: 'https://instagram.com/crumb.example' }],
  },
  sign_in: { image_file_id: null, text: 'Welcome back. The dough has been waiting for you.' },
  email: { header_image_file_id: null, footer: 'Crumb & Crust, Rua do Forno 12, Lisboa' },
}

/** The one that is published: rye and dark crust, with headings in Playfair Display. */
const RYE = {
  ...OVEN,
  colors: {
    light: {
      page: '#fbf7ef',
      sheet: '#fffdf8',
      ink: '#2a1d14',
      quiet: '#665546',
      line: '#e5d9c6',
      accent: '#94400f',
      on_accent: '#ffffff',
      warn: '#fbecc9',
      warn_ink: '#5a3d00',
    },
    dark: {
      page: '#19130e',
      sheet: '#231b15',
      ink: '#f6ede1',
      quiet: '#c0b09e',
      line: '#43372c',
      accent: '#f2a96b',
      on_accent: '#2b1303',
      warn: '#3b2c10',
      warn_ink: '#f7dfae',
    },
  },
  fonts: { heading: 'playfair_display' as const, body: 'nunito' as const },
  radius: 'round' as const,
}

/** What staff work on: a look for the summer, which nobody sees before it is published. */
const SUMMER = {
  ...RYE,
  announcement: { text: 'Summer courses begin on 1 July', href: '/courses', from: null, until: null },
  custom_css: '.hero-title {\n  font-style: italic;\n}',
}

/** Publishes two looks in a school without any, and leaves a draft of a third; all with the logo where there is one. */
export const createDemoAppearance = async (
  database: Database,
  schoolId: string,
  logoId: string | undefined,
): Promise<void> => {
  if (await database.statements(schoolId, db => hasAppearance(db, schoolId))) return
  await database.transaction(schoolId, async (db, now) => {
    const place = { db, school: await getSchool(db, schoolId), now }
    const logo = logoId === undefined ? {} : { logo_file_id: logoId }
    await addAppearance(place, { ...OVEN, ...logo })
    await addAppearance({ ...place, now: new Date(now.getTime() + 1) }, { ...RYE, ...logo })
    await addAppearance(place, { ...SUMMER, ...logo }, { isDraft: true })
  })
}
