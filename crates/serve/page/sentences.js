// Sentences that several parts of the page say. Most sentences come from the server.

export const colorName = (side) => (side === 'white' ? 'White' : 'Black');
export const offersDraw = (side) => `${colorName(side)} offers a draw.`;
export const asksTakeback = (side) => `${colorName(side)} asks to take a move back.`;
