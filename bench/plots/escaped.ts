/** Text as the content of an SVG element. */
export const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
