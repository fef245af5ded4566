// The connection to the server. The server sends pings, which the page answers. After a silence, which is how a connection ends
// of which neither end is told, the page connects again.

import { $, announce, showMessage } from './elements.js';
import { ask, secrets } from './server.js';

const PROTOCOL = 2;
/** A ping comes every 4 seconds. After a silence this long, the connection is lost; when the page comes back, after less. */
const SILENCE = 9000;
const SHORT_SILENCE = 5000;
/** After a connection that lasted this long, the first attempt to connect again comes soon. */
const STEADY = 10000;
const MAX_DELAY = 5000;
/** From this on, the network delay is marked. */
const SLOW = 300;

export class Connection {
  /** `onMessage` gets each message, and `onLost` is called when the connection is lost. */
  constructor(id, onMessage, onLost) {
    Object.assign(this, { path: `/api/games/${id}`, onMessage, onLost, socket: null, timer: null, tries: 0, heardAt: 0, connectedAt: 0, lastNumber: null });
  }

  start() {
    this.connect();
    setInterval(() => this.checkSilence(SILENCE), 1000);
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.checkSilence(SHORT_SILENCE); });
    addEventListener('online', () => this.checkSilence(SHORT_SILENCE));
  }

  get isOpen() { return this.socket?.readyState === WebSocket.OPEN; }

  /** Sends a message, if that is possible. */
  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  /** Opens a socket, and says which message was seen last. */
  connect() {
    clearTimeout(this.timer);
    const path = `${this.path}/socket`;
    const url = `${location.origin.replace(/^http/, 'ws')}${path}${this.lastNumber === null ? '' : `?seen=${this.lastNumber}`}`;
    const socket = new WebSocket(url, [`tabiya.${PROTOCOL}`, `tabiya.bearer.${secrets.of(path)}`]);
    // Date, because other clocks stand still while a computer sleeps.
    Object.assign(this, { socket, heardAt: Date.now(), connectedAt: Date.now() });
    socket.addEventListener('message', (event) => { if (socket === this.socket) this.receive(JSON.parse(event.data)); });
    socket.addEventListener('close', () => this.lost(socket));
  }

  /** Answers a ping, and passes on all other messages. */
  receive(message) {
    this.heardAt = Date.now();
    if ('number' in message) this.lastNumber = message.number;
    if (message.type === 'ping') {
      this.send({ type: 'pong' });
      this.drawLag(message.lag_ms);
      return;
    }
    if (message.type === 'state') this.drawStatus('');
    this.onMessage(message);
  }

  /** Gives the connection up after a silence this long. If there is none, and the page has just come back, connects now. */
  checkSilence(silence) {
    if (this.socket && Date.now() - this.heardAt >= silence) this.lost(this.socket);
    else if (!this.socket && silence === SHORT_SILENCE) this.connect();
  }

  /** Connects again. The server then sends the current state of the game. */
  reconnect() {
    this.lost(this.socket);
  }

  /** Closes a socket that is of no use any more, and connects again after a while. */
  async lost(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    socket.close();
    if (Date.now() - this.connectedAt >= STEADY) this.tries = 0;
    this.drawStatus(this.lastNumber === null ? 'Connecting…' : 'Reconnecting…');
    this.onLost();
    // Not all pages of a server that was away come back at the same moment.
    const delay = Math.min(250 * 2 ** this.tries, MAX_DELAY) * (0.5 + Math.random() / 2);
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), delay);
    if (this.tries > 1) return;
    try {
      await ask(this.path);
    } catch (error) {
      // If the server refuses this client, there is no point in trying again. If it is busy or ending, there is.
      if (!error.status || error.status >= 500 || error.status === 429) return;
      clearTimeout(this.timer);
      showMessage(error.message);
    }
  }

  /** Says that there is no connection, or nothing. */
  drawStatus(text) {
    if (text && text !== $('connection').textContent) announce(text);
    $('connection').textContent = text;
    $('connection').classList.toggle('lost', Boolean(text));
    if (text) $('lag').textContent = '';
  }

  /** Shows the network delay in milliseconds, if it is known. */
  drawLag(lag) {
    if (lag === undefined) return;
    $('lag').textContent = `${lag} ms`;
    $('lag').classList.toggle('slow', lag >= SLOW);
  }
}
