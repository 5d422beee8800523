import { type Html, html } from '#src/kit/html.ts'
import { takeInitial } from '#src/kit/mark.ts'
import type { CourseView, LecturerView } from '../reads.ts'

type FileView = NonNullable<CourseView['image']>

const WIDTHS = [320, 640, 1280]

const at = ({ url }: FileView, width: number): string => `${url}${url.includes('?') ? '&' : '?'}width=${width}`

// Pages are served without a place for each picture's own shape: style sheets give every picture its shape.
// The first one on a page, one beside an offer, which phones do not show and so do not load, or one further below.
type Place = 'first' | 'beside' | 'below'

const image = (file: FileView, sizes: string, place: Place): Html =>
  html`<img src="${at(file, 640)}" srcset="${WIDTHS.map(width => `${at(file, width)} ${width}w`).join(', ')}" sizes="${sizes}" alt=""${place !== 'first' && html` loading="lazy"`}${place !== 'below' && html` fetchpriority="high"`}>`

// The same course always has the same one of four backgrounds.
const computeTone = (id: string): number => [...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 4

/** The picture of a course or product, or its initial where it has none; `sizes` says how wide it is shown. */
export const coursePicture = (
  course: Pick<CourseView, 'id' | 'name' | 'image'>,
  sizes: string,
  place: Place = 'below',
): Html =>
  course.image === null
    ? html`<span class="picture tone-${computeTone(course.id)}" aria-hidden="true">${takeInitial(course.name)}</span>`
    : html`<span class="picture">${image(course.image, sizes, place)}</span>`

/** The portrait of a lecturer, or the initial of the name. */
export const portrait = (lecturer: Pick<LecturerView, 'id' | 'display_name' | 'avatar'>): Html =>
  lecturer.avatar === null
    ? html`<span class="portrait tone-${computeTone(lecturer.id)}" aria-hidden="true">${takeInitial(lecturer.display_name)}</span>`
    : html`<span class="portrait">${image(lecturer.avatar, '12rem', 'below')}</span>`

/** The absolute address of a picture for previews of a link. */
export const shared = (file: FileView | null): string | undefined => (file === null ? undefined : at(file, 1280))
