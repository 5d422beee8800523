export { reviews } from './reviews.ts'
