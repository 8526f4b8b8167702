/** Invented people whose photos are the bundled ones. */
export const PEOPLE = {
  sam: {
    id: 'demo-sam',
    name: 'Sam',
    bio: 'Software engineer, early riser. I roast my own coffee on Sundays and share my flat with two rescue cats. Learning to boulder, badly.',
    photoFiles: ['coffee.jpg'],
  },
  maya: {
    id: 'demo-maya',
    name: 'Maya',
    bio: 'Weekend climber, weekday data analyst. My cat Chelsea supervises every video call. Looking for someone who takes coffee as seriously as I do.',
    photoFiles: ['cat.jpg', 'coffee.jpg'],
  },
  june: {
    id: 'demo-june',
    name: 'June',
    bio: 'Aerospace student with a telescope on the balcony. Temples, night trains and noodle shops. I never miss a launch.',
    photoFiles: ['rocket.jpg', 'temple.jpg'],
  },
}
