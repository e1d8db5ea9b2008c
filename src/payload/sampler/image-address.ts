/**
 * Where made-up images are: a name that nobody can have (RFC 2606 §2). Whoever answers puts its own address in its place,
 * so that the samples of a seed are the same on every machine, and a page shows its images offline.
 */
export const IMAGES = 'https://images.standin.invalid';

export const IMAGE_SIZES = ['640x480', '320x240', '400x400', '800x600'];
